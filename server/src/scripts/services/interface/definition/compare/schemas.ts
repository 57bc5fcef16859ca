import { formats } from '../../schema/formats.ts'
import { isClosed, named, oneType, type PayloadSchema, splitItems } from '../../schema/payload.ts'
import { boundGaps } from './bounds.ts'
import { type Flow, type Gap, gap, listKeys, type SchemaPair, within } from './gap.ts'

/**
 * Returns the places where a value of `narrow` may be refused by `wide`; empty if all pass. Places
 * that the schemas leave open count as refused. Each pair of schemas is compared once, so the work
 * is bounded by the sizes of both.
 */
export function schemaGaps(flow: Flow, path: string, pair: SchemaPair): Gap[] {
  const { narrow, wide } = pair
  if (!typeFits(narrow, wide))
    return [gap(flow, path, 'type', schemaType(narrow), schemaType(wide))]
  return [
    ...enumGaps(flow, path, pair),
    ...boundGaps(flow, path, pair),
    ...textGaps(flow, path, pair),
    ...itemGaps(flow, path, pair),
    ...(mayBe(narrow, 'object') ? memberGaps(flow, path, pair) : []),
  ]
}

function schemaType(schema: PayloadSchema): string | undefined {
  const { enum: choices } = schema
  return oneType(schema) ?? (choices === undefined ? undefined : 'string')
}

function typeFits(narrow: PayloadSchema, wide: PayloadSchema): boolean {
  const [has, wanted] = [schemaType(narrow), schemaType(wide)]
  return wanted === undefined || has === wanted || (has === 'integer' && wanted === 'number')
}

/** True if values of the type can pass. */
function mayBe(schema: PayloadSchema, type: 'string' | 'array' | 'object'): boolean {
  const own = schemaType(schema)
  return own === undefined || own === type
}

function enumGaps(flow: Flow, path: string, { narrow, wide }: SchemaPair): Gap[] {
  const allowed = wide.enum
  if (allowed === undefined) return []
  if (narrow.enum === undefined) return [gap(flow, path, 'enum', undefined, allowed)]
  const outside = narrow.enum.filter((one) => !allowed.includes(one))
  return outside.length === 0 ? [] : [gap(flow, path, 'enum', narrow.enum, allowed)]
}

/** Compares patterns, and formats that are checked; any other format is documentation. */
function textGaps(flow: Flow, path: string, { narrow, wide }: SchemaPair): Gap[] {
  if (!mayBe(narrow, 'string')) return []
  const checked = ({ format = '' }: PayloadSchema) => (formats.has(format) ? format : undefined)
  const [has, wanted] = [checked(narrow), checked(wide)]
  return [
    ...(wide.pattern === undefined || wide.pattern === narrow.pattern
      ? []
      : [gap(flow, path, 'pattern', narrow.pattern, wide.pattern)]),
    ...(wanted === undefined || wanted === has ? [] : [gap(flow, path, 'format', has, wanted)]),
  ]
}

function itemGaps(flow: Flow, path: string, { narrow, wide }: SchemaPair): Gap[] {
  if (!mayBe(narrow, 'array')) return []
  const [has, wanted] = [splitItems(narrow), splitItems(wide)]
  const most = narrow.maxItems ?? Number.POSITIVE_INFINITY
  const listed = Math.max(has.first.length, wanted.first.length)
  const gaps = Array.from({ length: Math.min(listed, most) }, (_, index) => {
    const inner = wanted.first[index] ?? wanted.others
    return memberGap(flow, `${path}[${index}]`, has.first[index] ?? has.others, inner)
  }).flat()
  const unique = wide.uniqueItems === true && narrow.uniqueItems !== true
  return [
    ...gaps,
    ...(most > listed ? memberGap(flow, `${path}[]`, has.others, wanted.others) : []),
    ...(unique ? [gap(flow, path, 'uniqueItems', false, true)] : []),
  ]
}

function memberGap(
  flow: Flow,
  path: string,
  narrow: PayloadSchema | undefined,
  wide: PayloadSchema | undefined,
): Gap[] {
  return wide === undefined ? [] : schemaGaps(flow, path, { narrow: narrow ?? {}, wide })
}

function memberGaps(flow: Flow, path: string, pair: SchemaPair): Gap[] {
  return [
    ...requiredGaps(flow, path, pair),
    ...listKeys(pair).flatMap((key) => keyGaps(flow, within(path, key.name), pair, key)),
    ...otherGaps(flow, path, pair),
  ]
}

/**
 * Compares required members: a sender may leave out one with a default, a receiver always gets it.
 */
function requiredGaps(flow: Flow, path: string, { narrow, wide }: SchemaPair): Gap[] {
  const counted = flow === 'in' ? demanded : promised
  const has = new Set(counted(narrow))
  return [...new Set(counted(wide))]
    .filter((name) => !has.has(name))
    .map((name) => gap(flow, within(path, name), 'required', false, true))
}

function demanded({ required = [], properties }: PayloadSchema): string[] {
  return required.filter((name) => named(properties, name)?.default === undefined)
}

function promised({ required = [], properties = {} }: PayloadSchema): string[] {
  const filled = Object.keys(properties).filter((name) => {
    return named(properties, name)?.default !== undefined
  })
  return [...required, ...filled]
}

/** Compares one member: each schema of `wide` must be implied by one of `narrow`. */
function keyGaps(
  flow: Flow,
  path: string,
  { narrow, wide }: SchemaPair,
  { has, wanted, declared }: ReturnType<typeof listKeys>[number],
): Gap[] {
  // An undeclared name could carry anything, but no caller is expected to send it. And if further
  // members are forbidden, none is sent.
  const { additionalProperties: other } = narrow
  const undeclared = flow === 'in' && other === undefined
  if (!declared && (undeclared || isClosed(other))) return []
  const own = has.length > 0 ? has : [other ?? {}]
  const required = wanted.length > 0 ? wanted : [wide.additionalProperties ?? {}]
  return required.flatMap((one) => {
    const [first = [], ...more] = own.map((by) => schemaGaps(flow, path, { narrow: by, wide: one }))
    return more.some(({ length }) => length === 0) ? [] : first
  })
}

/** Compares members that are not declared: those of patterns, and all others. */
function otherGaps(flow: Flow, path: string, { narrow, wide }: SchemaPair): Gap[] {
  const { additionalProperties: hasOther, patternProperties: has = {} } = narrow
  const { additionalProperties: wantedOther, patternProperties: wanted = {} } = wide
  const place = (pattern: string) => `${path}[/${pattern}/]`
  const patterns = Object.entries(wanted).flatMap(([pattern, inner]) => {
    return memberGap(flow, place(pattern), named(has, pattern) ?? hasOther, inner)
  })
  const dropped = Object.entries(has).filter(([pattern]) => !Object.hasOwn(wanted, pattern))
  const lost = dropped.flatMap(([pattern, inner]) => {
    return memberGap(flow, place(pattern), inner, wantedOther)
  })
  if (wantedOther === undefined) return [...patterns, ...lost]
  const others = memberGap(flow, `${path}[]`, hasOther, wantedOther)
  const isOpen = hasOther === undefined && others.length > 0
  const closing = [gap(flow, path, 'additionalProperties', undefined, wantedOther)]
  return [...patterns, ...lost, ...(isOpen ? closing : others)]
}
