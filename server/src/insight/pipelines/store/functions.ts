import type { Insight } from '@millrace/insight-sdk/protocol'
import { type Queryable, textArray } from '../../../foundation/database/index.ts'

/** A list of functions: of a module that a business uses, and of one of its groups. */
export type FunctionsKey = {
  readonly businessId: string
  readonly moduleId: string
  /** `''` if there is none. */
  readonly groupId: string
}

/** The functions as a module listed them last. */
export type StoredFunctions = {
  readonly insights: readonly Insight[]
  readonly complaints: readonly string[]
  /** Microseconds. */
  readonly readAt: number
}

export async function readFunctions(
  queryable: Queryable,
  { businessId, moduleId, groupId }: FunctionsKey,
): Promise<StoredFunctions | undefined> {
  const text = `
    select insights, complaints, read_at from pipelines_functions
    where business_id = $1 and module_id = $2 and group_id = $3`
  type Row = { insights: string; complaints: string; read_at: number }
  const row = await queryable.one<Row>(text, [businessId, moduleId, groupId])
  if (row === undefined) return undefined
  return {
    insights: JSON.parse(row.insights) as Insight[],
    complaints: JSON.parse(row.complaints) as string[],
    readAt: row.read_at,
  }
}

export async function keepFunctions(
  queryable: Queryable,
  { businessId, moduleId, groupId }: FunctionsKey,
  { insights, complaints, readAt }: StoredFunctions,
): Promise<void> {
  const text = `
    insert into pipelines_functions
      (business_id, module_id, group_id, insights, complaints, read_at, asked_at)
    values ($1, $2, $3, $4, $5, $6, $6)
    on conflict (business_id, module_id, group_id)
    do update set insights = $4, complaints = $5, read_at = $6, asked_at = $6`
  const json = [insights, complaints].map((value) => JSON.stringify(value))
  await queryable.run(text, [businessId, moduleId, groupId, ...json, readAt])
}

export async function dropFunctions(
  queryable: Queryable,
  businessId: string,
  moduleId: string,
): Promise<void> {
  const text = 'delete from pipelines_functions where business_id = $1 and module_id = $2'
  await queryable.run(text, [businessId, moduleId])
}

/** Claims lists of linked functions that nobody has asked for since a time, the oldest first. */
export async function claimFunctions(
  queryable: Queryable,
  { beforeUs, nowUs, most }: { beforeUs: number; nowUs: number; most: number },
): Promise<FunctionsKey[]> {
  const text = `
    update pipelines_functions f set asked_at = $2
    from (
      select business_id, module_id, group_id from pipelines_functions o
      where o.asked_at < $1 and exists (
        select 1 from pipelines_link l
        where l.business_id = o.business_id and l.module_id = o.module_id
          and l.group_id = o.group_id
      )
      order by o.asked_at limit $3 for update skip locked
    ) due
    where f.business_id = due.business_id and f.module_id = due.module_id
      and f.group_id = due.group_id
    returning f.business_id as "businessId", f.module_id as "moduleId", f.group_id as "groupId"`
  return queryable.rows<FunctionsKey>(text, [beforeUs, nowUs, most])
}

/** A link with the description that it has from now on. */
export type RenewedLink = {
  readonly id: string
  /** The description before, as it is stored: one that was changed meanwhile stays. */
  readonly before: Insight
  readonly insight: Insight
  readonly constants: object
  readonly outdated: readonly string[]
}

export async function renewStored(
  queryable: Queryable,
  businessId: string,
  links: readonly RenewedLink[],
): Promise<void> {
  const text = `
    update pipelines_link l
    set insight = n.insight, constants = n.constants, outdated = n.outdated
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
      as n (id, before, insight, constants, outdated)
    where l.business_id = $1 and l.id = n.id and l.insight = n.before`
  const column = (read: (link: RenewedLink) => unknown) =>
    textArray(links.map((link) => JSON.stringify(read(link))))
  await queryable.run(text, [
    businessId,
    textArray(links.map(({ id }) => id)),
    column(({ before }) => before),
    column(({ insight }) => insight),
    column(({ constants }) => constants),
    column(({ outdated }) => outdated),
  ])
}
