import type { Queryable } from '../../../foundation/database/index.ts'
import type { View } from '../../../people/groups/index.ts'
import { type AssetQuery, pageClause } from './pages.ts'

/** Different selections of lists of assets that the database writes as JSON. */
const assetListTextsMax = 200

/** A field of the answer: its key, and what it is. Keys are names of GraphQL. */
type Field<Name> = { readonly key: string; readonly of: Name }

export type SignalField = Field<keyof typeof signalFields>
export type AssetListField =
  | Field<keyof typeof assetFields>
  | { readonly key: string; readonly signals: readonly SignalField[] }

/** The rows of a list as JSON, with how many there are. */
export type AssetListText = {
  readonly text: string
  readonly assets: number
  readonly signals: number
}

const textField = (column: string) => `to_json(${column})::text`
const maybeField = (column: string) => `coalesce(${textField(column)}, 'null')`
/**
 * Writes a text without a character that JSON escapes; the types of others are looked up each time.
 */
const plainField = (column: string) => `'"' || ${column} || '"'`
const timeField = (column: string) =>
  `'"' || to_char(timestamp 'epoch' + ${column} * interval '1 microsecond',
    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '"'`

/**
 * The fields of a list of assets that can be in its JSON, by the names of the fields of `Asset`.
 */
export const assetFields = {
  id: plainField('p.id'),
  name: textField('p.name'),
  description: textField('p.description'),
  locked: 'p.locked::text',
  createdAt: timeField('p.created_at'),
} as const

/** The same of their signals. */
export const signalFields = {
  id: plainField('s.id'),
  assetId: plainField('s.asset_id'),
  name: textField('s.name'),
  description: textField('s.description'),
  primitiveType: plainField('s.primitive_type'),
  dataType: maybeField('s.data_type'),
  dataUnit: maybeField('s.data_unit'),
} as const

/** Texts of statements that were made, so that those of callers are not prepared without end. */
const made = new Set<string>()

/**
 * The same by the fields of a plan and the rest of the statement. A text is long, and one that is
 * made anew is read whole wherever a statement is looked up by it.
 */
const madeOf = new WeakMap<readonly AssetListField[], Map<string, string>>()

/**
 * Reads a page of assets as JSON that PostgreSQL writes, with the fields that are asked for and no
 * others. Returns undefined past a number of different selections: the page is read as rows then.
 */
export async function assetListText(
  queryable: Queryable,
  view: View,
  query: AssetQuery,
  fields: readonly AssetListField[],
): Promise<AssetListText | undefined> {
  const { clause, values } = pageClause(view, query)
  const known = madeOf.get(fields) ?? new Map<string, string>()
  const text = known.get(clause) ?? makeStatement(fields, clause)
  if (!made.has(text)) {
    if (made.size >= assetListTextsMax) return undefined
    made.add(text)
  }
  madeOf.set(fields, known.set(clause, text))
  return queryable.one<AssetListText>(text, values)
}

/**
 * The page is a subquery in its order without a join around it, which is the order in which an
 * aggregate takes its rows: no place is counted and nothing is sorted again.
 */
function makeStatement(fields: readonly AssetListField[], clause: string): string {
  const below = fields.flatMap((field) => ('signals' in field ? [field.signals] : []))
  const signals = below.map((own, at) => {
    const list = objectExpression(own.map(({ key, of }) => [key, signalFields[of]]))
    return `, (
        select array['[' || coalesce(string_agg(${list}, ',' order by s.key), '') || ']',
          count(*)::text]
        from assets_signal s where s.business_id = $1 and s.asset_id = a.id
      ) as s${at}`
  })
  let at = 0
  const object = objectExpression(
    fields.map((field) => {
      if ('of' in field) return [field.key, assetFields[field.of]]
      at += 1
      return [field.key, `p.s${at - 1}[1]`]
    }),
  )
  const counts = below.map((_, index) => `p.s${index}[2]::bigint`).join(' + ') || '0'
  return `
    select '[' || coalesce(string_agg(${object}, ','), '') || ']' as text,
      count(*) as assets, coalesce(sum(${counts}), 0)::bigint as signals
    from (
      select a.id, a.name, a.description, a.locked, a.created_at${signals.join('')}
      ${clause}
    ) p`
}

/** An expression that is the text of a JSON object. The keys need no escape. */
function objectExpression(fields: readonly (readonly [string, string])[]): string {
  const parts = fields.map(([key, value], at) => `'${at === 0 ? '{' : ','}"${key}":' || ${value}`)
  // Constants that meet are one: each step copies what is before it.
  return `${parts.join(' || ')} || '}'`.replaceAll("' || '", '')
}
