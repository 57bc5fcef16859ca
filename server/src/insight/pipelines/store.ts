import type { Insight, InsightInfoResults } from '@millrace/insight-sdk/protocol'
import {
  type BusinessRows,
  int8Array,
  type Queryable,
  readDependants,
  rowsByIndex,
  type Transaction,
  textArray,
} from '../../foundation/database/index.ts'
import type { Dependants } from '../../foundation/kernel/index.ts'
import type { LinkCheck } from './links/link-check.ts'
import type { Constants, ExternalModule, Link } from './types.ts'

/** The answer of a module about itself, and what was wrong with it. */
export type ModuleAnswer = Pick<ExternalModule, 'info' | 'complaints'>

export async function addModuleAnswer(
  queryable: Queryable,
  businessId: string,
  moduleId: string,
  { info, complaints }: ModuleAnswer,
): Promise<void> {
  const text = `
    insert into pipelines_module (business_id, id, info, warnings) values ($1, $2, $3, $4)
    on conflict (business_id, id) do update set info = $3, warnings = $4`
  const json = [info, complaints].map((value) => JSON.stringify(value))
  await queryable.run(text, [businessId, moduleId, ...json])
}

/** The answers of these modules, by id. */
export async function readModuleAnswers(
  queryable: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, ModuleAnswer>> {
  const text = `
    select id, info, warnings from pipelines_module
    where business_id = $1 and id = any ($2::text[])`
  type Row = { id: string; info: string; warnings: string }
  const rows = await queryable.rows<Row>(text, [businessId, textArray(ids)])
  return new Map(
    rows.map(({ id, info, warnings }) => {
      const complaints = JSON.parse(warnings) as string[]
      return [id, { info: JSON.parse(info) as InsightInfoResults, complaints }]
    }),
  )
}

export async function dropModuleAnswer(
  transaction: Transaction,
  businessId: string,
  moduleId: string,
): Promise<void> {
  const text = 'delete from pipelines_module where business_id = $1 and id = $2'
  await transaction.run(text, [businessId, moduleId])
}

type LinkRow = {
  id: string
  asset_id: string
  module_id: string
  function_id: string
  group_id: string
  name: string
  insight: string
  constants: string
  checks: string
  inlets: string[]
  enabled: boolean
  timeout_ms: number | null
  outdated: string
  created_at: number
}

const linkColumns = `
  l.id, l.asset_id, l.module_id, l.function_id, l.group_id, l.name, l.insight, l.constants,
  l.checks, l.enabled, l.timeout_ms, l.outdated, l.created_at,
  array(
    select i.signal_id from pipelines_inlet i
    where i.business_id = l.business_id and i.link_id = l.id order by i.inlet
  ) as inlets`

/** A link as it is stored; its outlets are signals, which belong to assets. */
export type StoredLink = Omit<Link, 'outlets'>

function toLink(businessId: string, row: LinkRow): StoredLink {
  return {
    id: row.id,
    businessId,
    assetId: row.asset_id,
    moduleId: row.module_id,
    functionId: row.function_id,
    groupId: row.group_id,
    name: row.name,
    insight: JSON.parse(row.insight) as Insight,
    constants: JSON.parse(row.constants) as Constants,
    checks: JSON.parse(row.checks) as LinkCheck[],
    inlets: row.inlets,
    enabled: row.enabled,
    timeoutMs: row.timeout_ms,
    outdated: JSON.parse(row.outdated) as string[],
    createdAt: row.created_at,
  }
}

/** Adds a link; `keepInlets` adds what feeds it. */
export async function addLink(
  queryable: Queryable,
  businessId: string,
  link: StoredLink,
): Promise<void> {
  const text = `
    insert into pipelines_link (business_id, id, asset_id, module_id, function_id, group_id, name,
      insight, constants, checks, enabled, timeout_ms,
      created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
  const { id, assetId, moduleId, functionId, groupId, name } = link
  const words = [businessId, id, assetId, moduleId, functionId, groupId, name]
  const rest = [link.enabled, link.timeoutMs, link.createdAt]
  await queryable.run(text, [...words, ...toJsonTexts(link), ...rest])
}

export async function changeLink(
  queryable: Queryable,
  businessId: string,
  link: StoredLink,
): Promise<void> {
  const text = `
    update pipelines_link set name = $3, insight = $4, constants = $5, checks = $6, enabled = $7,
      timeout_ms = $8
    where business_id = $1 and id = $2`
  const { id, name, enabled, timeoutMs } = link
  await queryable.run(text, [businessId, id, name, ...toJsonTexts(link), enabled, timeoutMs])
}

function toJsonTexts({ insight, constants, checks }: StoredLink): string[] {
  return [insight, constants, checks].map((value) => JSON.stringify(value))
}

/** Replaces what feeds a link. */
export async function keepInlets(
  queryable: Queryable,
  businessId: string,
  id: string,
  signalIds: readonly string[],
): Promise<void> {
  const text = 'delete from pipelines_inlet where business_id = $1 and link_id = $2'
  await queryable.run(text, [businessId, id])
  const inlets = `
    insert into pipelines_inlet (business_id, link_id, inlet, signal_id)
    select $1, $2, n, s from unnest($3::bigint[], $4::text[]) as given (n, s)`
  const numbers = int8Array(signalIds.map((_, inlet) => inlet))
  await queryable.run(inlets, [businessId, id, numbers, textArray(signalIds)])
}

/** The links of these assets, in the order they were made. */
export async function readLinks(
  queryable: Queryable,
  businessId: string,
  assetIds: readonly string[],
): Promise<StoredLink[]> {
  const text = `
    select ${linkColumns} from pipelines_link l
    where l.business_id = $1 and l.asset_id = any ($2::text[]) order by l.number`
  const rows = await queryable.rows<LinkRow>(text, [businessId, textArray(assetIds)])
  return rows.map((row) => toLink(businessId, row))
}

/** The links of a module, in the order they were made. */
export async function readLinksOfModule(
  queryable: Queryable,
  businessId: string,
  moduleId: string,
): Promise<StoredLink[]> {
  const text = `
    select ${linkColumns} from pipelines_link l
    where l.business_id = $1 and l.module_id = $2 order by l.number`
  const rows = await queryable.rows<LinkRow>(text, [businessId, moduleId])
  return rows.map((row) => toLink(businessId, row))
}

export async function readLink(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<StoredLink | undefined> {
  const text = `select ${linkColumns} from pipelines_link l where l.business_id = $1 and l.id = $2`
  const row = await queryable.one<LinkRow>(text, [businessId, id])
  return row === undefined ? undefined : toLink(businessId, row)
}

/** @returns false where somebody else removed it. */
export async function dropLink(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<boolean> {
  const text = 'delete from pipelines_link where business_id = $1 and id = $2'
  return (await queryable.run(text, [businessId, id])) === 1
}

/** Holds those of these links that are still there until the transaction ends. */
export async function holdLinks(
  transaction: Transaction,
  businessId: string,
  ids: readonly string[],
): Promise<string[]> {
  const text = `
    select id from pipelines_link
    where business_id = $1 and id = any ($2::text[]) order by id for update`
  const rows = await transaction.rows<{ id: string }>(text, [businessId, textArray(ids)])
  return rows.map((row) => row.id)
}

/** The state of a link's function, as text; null if it has kept nothing yet. */
export type StoredState = {
  readonly businessId: string
  readonly linkId: string
  readonly state: string | null
}

/** The states of links, by link; of links that have none, or are gone, there is none. */
export async function readStates(
  queryable: Queryable,
  links: readonly Pick<Link, 'businessId' | 'id'>[],
): Promise<Map<string, string>> {
  const text = `
    select s.link_id, s.state from pipelines_state s
    join unnest($1::text[], $2::text[]) as given (business_id, link_id)
      on s.business_id = given.business_id and s.link_id = given.link_id
    where s.state is not null`
  const rows = await queryable.rows<StateRow>(text, toPlaceArrays(links))
  return new Map(rows.map(({ link_id, state }) => [link_id, state ?? '']))
}

type StateRow = { link_id: string; state: string | null }

/**
 * The same, held until the transaction ends: what another one changes is seen here, or waits. A
 * link that has not been run gets its row first, so that there is something to hold.
 */
export async function holdStates(
  transaction: Transaction,
  links: readonly Pick<Link, 'businessId' | 'id'>[],
): Promise<Map<string, string>> {
  const held = new Map<string, string | null>()
  const hold = async (some: typeof links) => {
    const text = `
      select s.link_id, s.state from pipelines_state s
      join unnest($1::text[], $2::text[]) as given (business_id, link_id)
        on s.business_id = given.business_id and s.link_id = given.link_id
      order by s.business_id, s.link_id for update of s`
    const rows = await transaction.rows<StateRow>(text, toPlaceArrays(some))
    for (const { link_id, state } of rows) held.set(link_id, state)
  }
  await hold(links)
  const missing = links.filter(({ id }) => !held.has(id))
  if (missing.length > 0) {
    const text = `
      insert into pipelines_state (business_id, link_id)
      select l.business_id, l.id from pipelines_link l
      join unnest($1::text[], $2::text[]) as given (business_id, link_id)
        on l.business_id = given.business_id and l.id = given.link_id
      order by l.business_id, l.id on conflict do nothing`
    await transaction.run(text, toPlaceArrays(missing))
    await hold(missing)
  }
  return new Map([...held].flatMap(([id, state]) => (state === null ? [] : [[id, state]])))
}

function toPlaceArrays(links: readonly Pick<Link, 'businessId' | 'id'>[]): [Buffer, Buffer] {
  const businessIds = links.map(({ businessId }) => businessId)
  return [textArray(businessIds), textArray(links.map(({ id }) => id))]
}

/** Stores what functions keep, each link once; of links that are gone nothing is stored. */
export async function writeStates(
  transaction: Transaction,
  states: readonly StoredState[],
): Promise<void> {
  const text = `
    insert into pipelines_state (business_id, link_id, state)
    select l.business_id, l.id, given.state from pipelines_link l
    join unnest($1::text[], $2::text[], $3::text[]) as given (business_id, link_id, state)
      on l.business_id = given.business_id and l.id = given.link_id
    order by l.business_id, l.id for key share of l
    on conflict (business_id, link_id) do update set state = excluded.state`
  const links = states.map(({ businessId, linkId }) => ({ businessId, id: linkId }))
  const texts = textArray(states.map(({ state }) => state))
  await transaction.run(text, [...toPlaceArrays(links), texts])
}

/** Everything of a business but its runs, which are jobs. */
export const pipelineRows: BusinessRows = rowsByIndex(
  'pipelines_batch',
  'pipelines_run',
  'pipelines_version',
  'pipelines_state',
  'pipelines_inlet',
  'pipelines_link',
  'pipelines_functions',
  'pipelines_module',
)

export function moduleLinks(
  queryable: Queryable,
  businessId: string,
  moduleId: string,
): Promise<Dependants[]> {
  const from = 'pipelines_link where business_id = $1 and module_id = $2'
  const asked = { effect: 'deleted', values: [businessId, moduleId] } as const
  return readDependants(queryable, asked, [{ kind: 'links', from, name: 'name' }])
}

/** Links whose action names a solution: they stay, and fail. */
export function solutionActions(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<Dependants[]> {
  const from = `pipelines_link where business_id = $1 and module_id = 'builtin'
    and constants::jsonb ->> 'solution' = $2`
  const asked = { effect: 'kept', values: [businessId, solutionId] } as const
  return readDependants(queryable, asked, [{ kind: 'links', from, name: 'name' }])
}
