import type { Insight, InsightInfoResults } from '@millrace/insight-sdk/protocol'
import { int8Array, type Queryable, type Transaction, textArray } from '../database/index.ts'
import type { Constants, ExternalModule, Link, ModuleEndpoints } from './types.ts'

type ModuleRow = {
  id: string
  name: string
  url: string
  endpoints: string
  info: string
  warnings: string
  created_at: number
}

const moduleColumns = 'id, name, url, endpoints, info, warnings, created_at'

function moduleOf(businessId: string, row: ModuleRow): ExternalModule {
  return {
    id: row.id,
    businessId,
    name: row.name,
    url: row.url,
    endpoints: JSON.parse(row.endpoints) as ModuleEndpoints,
    info: JSON.parse(row.info) as InsightInfoResults,
    complaints: JSON.parse(row.warnings) as string[],
    createdAt: row.created_at,
  }
}

/** @returns false where the business has as many modules as it may. */
export async function addModule(
  queryable: Queryable,
  businessId: string,
  module: ExternalModule,
  modulesMax: number,
): Promise<boolean> {
  const text = `
    insert into pipelines_module
      (business_id, id, name, url, endpoints, info, warnings, created_at)
    select $1, $2, $3, $4, $5, $6, $7, $8
    where (select count(*) from pipelines_module where business_id = $1) < $9`
  const { id, name, url, endpoints, info, complaints, createdAt } = module
  const json = [endpoints, info, complaints].map((value) => JSON.stringify(value))
  const values = [businessId, id, name, url, ...json, createdAt, modulesMax]
  return (await queryable.run(text, values)) === 1
}

export async function readModules(
  queryable: Queryable,
  businessId: string,
): Promise<ExternalModule[]> {
  const text = `
    select ${moduleColumns} from pipelines_module where business_id = $1 order by number`
  const rows = await queryable.rows<ModuleRow>(text, [businessId])
  return rows.map((row) => moduleOf(businessId, row))
}

export async function readModule(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<ExternalModule | undefined> {
  const text = `select ${moduleColumns} from pipelines_module where business_id = $1 and id = $2`
  const row = await queryable.one<ModuleRow>(text, [businessId, id])
  return row === undefined ? undefined : moduleOf(businessId, row)
}

/** Those of these modules that are there, by id. */
export async function readModulesOf(
  queryable: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<Map<string, ExternalModule>> {
  const text = `
    select ${moduleColumns} from pipelines_module
    where business_id = $1 and id = any ($2::text[])`
  const rows = await queryable.rows<ModuleRow>(text, [businessId, textArray(ids)])
  return new Map(rows.map((row) => [row.id, moduleOf(businessId, row)]))
}

/** Its links stay: they name functions of the same module at another address. */
export async function changeModule(
  queryable: Queryable,
  businessId: string,
  { id, url, endpoints, info, complaints }: Omit<ExternalModule, 'businessId' | 'createdAt'>,
): Promise<void> {
  const text = `
    update pipelines_module set url = $3, endpoints = $4, info = $5, warnings = $6
    where business_id = $1 and id = $2`
  const json = [endpoints, info, complaints].map((value) => JSON.stringify(value))
  await queryable.run(text, [businessId, id, url, ...json])
}

/** @returns false where a link still uses it. */
export async function dropModule(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<boolean> {
  const text = `
    delete from pipelines_module
    where business_id = $1 and id = $2
      and not exists (select 1 from pipelines_link where business_id = $1 and module_id = $2)`
  return (await queryable.run(text, [businessId, id])) === 1
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
  inlets: string[]
  created_at: number
}

const linkColumns = `
  l.id, l.asset_id, l.module_id, l.function_id, l.group_id, l.name, l.insight, l.constants,
  l.created_at,
  array(
    select i.signal_id from pipelines_inlet i
    where i.business_id = l.business_id and i.link_id = l.id order by i.inlet
  ) as inlets`

/** A link as it is stored; its outlets are signals, which belong to assets. */
export type StoredLink = Omit<Link, 'outlets'>

function linkOf(businessId: string, row: LinkRow): StoredLink {
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
    inlets: row.inlets,
    createdAt: row.created_at,
  }
}

export async function addLink(
  queryable: Queryable,
  businessId: string,
  link: StoredLink,
): Promise<void> {
  const text = `
    insert into pipelines_link (business_id, id, asset_id, module_id, function_id, group_id, name,
      insight, constants, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
  const { id, assetId, moduleId, functionId, groupId, name, insight, constants, createdAt } = link
  const words = [businessId, id, assetId, moduleId, functionId, groupId, name]
  await queryable.run(text, [
    ...words,
    JSON.stringify(insight),
    JSON.stringify(constants),
    createdAt,
  ])
  const inlets = `
    insert into pipelines_inlet (business_id, link_id, inlet, signal_id)
    select $1, $2, n, s from unnest($3::bigint[], $4::text[]) as given (n, s)`
  const numbers = int8Array(link.inlets.map((_, inlet) => inlet))
  await queryable.run(inlets, [businessId, id, numbers, textArray(link.inlets)])
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
  return rows.map((row) => linkOf(businessId, row))
}

export async function readLink(
  queryable: Queryable,
  businessId: string,
  id: string,
): Promise<StoredLink | undefined> {
  const text = `select ${linkColumns} from pipelines_link l where l.business_id = $1 and l.id = $2`
  const row = await queryable.one<LinkRow>(text, [businessId, id])
  return row === undefined ? undefined : linkOf(businessId, row)
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

/** Those of these links that are still there, held until the transaction ends. */
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
