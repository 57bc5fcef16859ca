import {
  type Database,
  type Statement,
  searchPattern,
  textArray,
} from '../../../foundation/database/index.ts'
import type { View } from '../../../people/groups/index.ts'
import { foldLetters, gramsOfPattern, splitGrams } from '../identities/fold-letters.ts'
import {
  type DeviceQuery,
  deviceColumns,
  deviceConditions,
  type PlacedIdentity,
} from './devices.ts'
import { identityNames } from './list.ts'

/** Identities that the index of letters narrows a list to; one of more is read in its order. */
const deviceTermMatchesMax = 1_000

/*
 * Devices by letters. The index of letters finds the searchable devices that may hold them; the few
 * others are each looked at. The search is planned each time for its letters and connectors: rare
 * letters are looked up in the index; what many devices hold is found sooner in the order of the
 * page. Comparisons of letters stand in a `case`, of which the planner does not guess how many rows
 * pass: it knows that of the index, and counted twice it would be too few.
 */

/** Letters of the identity, the name or the description, in any case. */
export type DeviceSearch = DeviceQuery & { readonly text: string }

/** The connectors of a business, or the one that is asked for. */
const selectConnectors = `
  select id from provisioning_connector
  where business_id = $1 and ($2::text is null or id = $2::text)`

const tables = `provisioning_identity i left join provisioning_presence p
  on p.connector_id = i.connector_id and p.identity = i.identity`

const withTerms = `${tables}
  join provisioning_term t on t.connector_id = i.connector_id and t.identity = i.identity`

/** A page of the devices of a business that hold letters, in the order of `devicePage`. */
export async function searchPage(
  database: Database,
  view: View,
  nowUs: number,
  query: DeviceSearch,
): Promise<PlacedIdentity[]> {
  const pattern = searchPattern(query.text)
  const known = [view.businessId, query.connectorId ?? null]
  const rows = await database.rows<{ id: string }>(selectConnectors, known)
  if (rows.length === 0) return []
  const statement = searchStatement(
    view,
    nowUs,
    { ...query, pattern },
    rows.map(({ id }) => id),
  )
  return planned<PlacedIdentity>(database, statement)
}

/** The rows of a statement that is planned for its values. */
function planned<Row>(database: Database, statement: Statement): Promise<Row[]> {
  return database.transaction(async (transaction) => {
    const [, answer] = await transaction.together([
      { text: "select set_config('plan_cache_mode', 'force_custom_plan', true)", values: [] },
      statement,
    ])
    return (answer?.rows ?? []) as unknown as Row[]
  })
}

const selectLike = `
  select identity from (
    (select t.identity from provisioning_term t
      where t.connector_id = $1 and provisioning_grams(t.letters) @> $3::text[]
        and t.identity like $2::text
      limit $4::bigint)
    union all
    (select i.identity from provisioning_identity i
      where i.connector_id = $1 and not i.searchable and i.identity like $2::text
      limit $4::bigint)) as found
  limit $4::bigint`

/**
 * The identities of a connector that a pattern of `like` is about, as the index of letters has
 * them; undefined if they are many, or the pattern says its first letters or none: then the order
 * of the list finds them sooner.
 */
export async function identitiesLike(
  database: Database,
  connectorId: string,
  pattern: string,
): Promise<string[] | undefined> {
  const grams = gramsOfPattern(pattern)
  if (!pattern.startsWith('%') || grams.length === 0) return undefined
  const manyRows = deviceTermMatchesMax + 1
  const values = [connectorId, pattern, textArray(grams), manyRows]
  const rows = await planned<{ identity: string }>(database, { text: selectLike, values })
  return rows.length === manyRows ? undefined : rows.map(({ identity }) => identity)
}

function searchStatement(
  view: View,
  nowUs: number,
  query: DeviceSearch & { readonly pattern: string },
  connectors: readonly string[],
) {
  const { text: letters, pattern, connectorId: _, ...rest } = query
  const values: unknown[] = [view.businessId, nowUs, query.limit, query.offset]
  const add = (value: unknown) => `$${values.push(value)}`
  const like = `ilike ${add(pattern)}::text`
  const holds = `(i.identity ${like} or i.name ${like} or i.description ${like})`
  const folded = `t.letters like ${add(searchPattern(foldLetters(letters)))}::text`
  const grams = `provisioning_grams(t.letters) @> ${add(textArray(splitGrams(letters)))}::text[]`
  const among = `i.connector_id = any(${add(textArray(connectors))}::text[])`
  const parts = ['$1::text is not null', among, ...deviceConditions(view, rest, add)]
  const way = query.descending ? 'desc' : 'asc'
  const selectPage = (from: string, own: readonly string[]) => `(
    select ${deviceColumns} from ${from}
    where ${[...parts, ...own].join(' and ')}
    order by i.connector_id ${way}, i.identity ${way}
    limit $3::bigint + $4::bigint)`
  const indexed = [
    'i.searchable',
    grams,
    `case when t.letters is null then false else ${folded} end`,
  ]
  const exact = `case when t.letters is null then false else ${holds} end`
  const text = `
    select connector_id, group_id, name, description, ${identityNames}
    from (
      ${selectPage(withTerms, [...indexed, exact])}
      union all
      ${selectPage(tables, ['not i.searchable', holds])}) as found
    order by connector_id ${way}, identity ${way}
    limit $3::bigint offset $4::bigint`
  return { text, values }
}
