import { int8Array, searchPattern, textArray } from '../../../foundation/database/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import type { AssetFilter } from '../types.ts'
import { areaJoin, distanceTo } from './areas.ts'

/** A filter, checked, with the groups that it names and those below them. */
export type AssetQuery = Omit<AssetFilter, 'groupId'> & {
  readonly groupIds?: readonly string[] | undefined
  /** All groups that the view sees, if these are a few. */
  readonly seenIds?: readonly string[] | undefined
  readonly limit: number
  readonly offset: number
}

/** An asset without a status is normal. Few assets are not: these are found by their index. */
function worstIsAmong(levels: readonly number[], add: (value: unknown) => string): string {
  const isNormal = levels.includes(0)
  const wanted = `${add(int8Array(levels))}::bigint[]`
  return `a.id ${isNormal ? 'not in' : 'in'} (
    select s.asset_id from assets_status s
    where s.business_id = $1 and s.level > 0
    group by s.asset_id
    having max(s.level) ${isNormal ? '<> all' : '= any'}(${wanted})
  )`
}

/** The conditions of a filter; `add` returns the parameter of a value. */
function filterConditions(query: AssetQuery, add: (value: unknown) => string): string[] {
  const { ids, groupIds, text, levels, createdFrom, createdTo, signalIds, location } = query
  const { templateIds } = query
  const parts: string[] = []
  if (groupIds) parts.push(`a.group_id = any(${add(textArray(groupIds))}::text[])`)
  if (ids) parts.push(`a.id = any(${add(textArray(ids))}::text[])`)
  if (text) {
    const pattern = add(searchPattern(text))
    parts.push(`a.grams @> assets_grams(${add(text)}::text)`)
    parts.push(`(a.name ilike ${pattern}::text or a.description ilike ${pattern}::text)`)
  }
  if (levels) parts.push(worstIsAmong(levels, add))
  if (templateIds) parts.push(`a.template_id = any(${add(textArray(templateIds))}::text[])`)
  if (createdFrom != null) parts.push(`a.created_at >= ${add(createdFrom)}::bigint`)
  if (createdTo != null) parts.push(`a.created_at < ${add(createdTo)}::bigint`)
  if (signalIds) {
    parts.push(`a.id in (
      select s.asset_id from assets_signal s
      where s.business_id = $1 and s.id = any(${add(textArray(signalIds))}::text[])
    )`)
  }
  if (location != null) {
    const isThere = '(a.latitude is not null or a.location_signal is not null)'
    parts.push(location ? isThere : `not ${isThere}`)
  }
  return parts
}

/** The terms before the order of creation. */
function orderColumns({ order, near }: AssetQuery, add: (value: unknown) => string): string[] {
  if (order === 'name') return ['a.name']
  return order === 'distance' && near != null ? [distanceTo(near, add)] : []
}

/** Sizes of pages that are part of their statement. */
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100])

/**
 * The part of a statement behind its columns that selects a page, with its order and values. In a
 * list without conditions a usual size is no parameter: PostgreSQL takes a limit that it does not
 * know for a tenth of the table, and plans the statement anew for each request.
 */
export function pageClause(view: View, query: AssetQuery) {
  const { from, isPlain, isWhole, values, add } = foundBy(view, query)
  const way = query.descending ? 'desc' : 'asc'
  const first = orderColumns(query, add)
  const order = [...first, 'a.number'].map((by) => `${by} ${way}`).join(', ')
  const isByNumber = isPlain && first.length === 0
  if (isByNumber && query.seenIds !== undefined) return clauseOfFew(view, query, query.seenIds)
  const page = formatPage(query, isWhole && isByNumber, add)
  return { clause: `${from}\n    order by ${order}\n    ${page}`, values }
}

type Add = (value: unknown) => string

function formatPage({ limit, offset }: AssetQuery, isFixed: boolean, add: Add): string {
  if (isFixed && offset === 0 && usualSizes.has(limit)) return `limit ${limit}`
  return `limit ${add(limit)} offset ${add(offset)}`
}

/**
 * The same for a view of a few groups: the first assets of each by the index, and of these the
 * first. Each group is a value of its own, in one of a few numbers of them, so that PostgreSQL
 * keeps a plan: an array of one group is planned anew each time, being cheaper than any array.
 */
function clauseOfFew({ businessId }: View, query: AssetQuery, groupIds: readonly string[]) {
  const values: unknown[] = [businessId]
  const add = (value: unknown) => `$${values.push(value)}`
  const way = query.descending ? 'desc' : 'asc'
  const groups = padded(groupIds).map((id) => `(${add(id)}::text)`)
  const page = formatPage(query, true, add)
  const most = query.offset === 0 ? page : `limit ${add(query.limit + query.offset)}`
  const clause = `from (values ${groups.join(', ')}) g (seen_id)
    cross join lateral (
      select * from assets_asset a
      where a.business_id = $1 and a.group_id = g.seen_id${afterClause(query, add)}
      order by a.number ${way} ${most}
    ) a
    order by a.number ${way}
    ${page}`
  return { clause, values }
}

/** No group has an empty id. */
function padded(ids: readonly string[]): readonly string[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)))
  return [...ids, ...Array.from({ length: size - ids.length }, () => '')]
}

/** The condition of the place behind the last asset of the page before. */
function afterClause({ after, descending }: AssetQuery, add: Add): string {
  if (after == null) return ''
  const place = `(select f.number from assets_asset f
      where f.business_id = $1 and f.id = ${add(after)})`
  return ` and a.number ${descending ? '<' : '>'} ${place}`
}

/** The part of a statement that finds assets `a`; more of its values come in by `add`. */
export function foundBy(view: View, query: AssetQuery) {
  const values: unknown[] = [view.businessId]
  const add = (value: unknown) => `$${values.push(value)}`
  const join = areaJoin(query, add)
  const parts = filterConditions(query, add)
  const after = afterClause(query, add)
  const seen = query.groupIds ? '' : andSeen(view, 'a.group_id', values.length + 1)
  if (seen !== '') values.push(...seenValues(view))
  const from = `from assets_asset a
    ${join}
    where ${['a.business_id = $1', ...parts].join(' and ')}${after}${seen}`
  const isPlain = parts.length + join.length === 0
  return { from, isPlain, isWhole: isPlain && after === '' && seen === '', values, add }
}
