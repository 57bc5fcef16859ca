import { limits, parsePattern } from '../../../../../foundation/kernel/index.ts'
import type { PayloadSchema } from '../../schema/payload.ts'

/**
 * The direction of values, seen from the subscribers: `in` is what they send, so the new schema
 * must accept all that the old one accepted; `out` is what they receive, so it must accept nothing
 * new.
 */
export type Flow = 'in' | 'out'

/** The schemas of one place: all values of `narrow` must pass `wide`. */
export type SchemaPair = { readonly narrow: PayloadSchema; readonly wide: PayloadSchema }

/** A breaking change at one place of a payload. */
export type Gap = {
  readonly path: string
  readonly keyword: string
  readonly before: unknown
  readonly after: unknown
}

/** For `in`, `narrow` is the old schema; for `out`, the new one. */
export function toPair(flow: Flow, before: PayloadSchema, after: PayloadSchema): SchemaPair {
  return flow === 'in' ? { narrow: before, wide: after } : { narrow: after, wide: before }
}

export function gap(
  flow: Flow,
  path: string,
  keyword: string,
  narrow: unknown,
  wide: unknown,
): Gap {
  const [before, after] = flow === 'in' ? [narrow, wide] : [wide, narrow]
  return { path, keyword, before, after }
}

export function formatGap({ path, keyword, before, after }: Gap): string {
  if (keyword === 'required') {
    return after === true ? `${path} is required now` : `${path} may be missing now`
  }
  return `${path}: ${keyword} was ${shown(before)}, is ${shown(after)}`
}

/** Returns the path of a member; a tenant's names are shortened and kept in one line. */
export function within(path: string, key: string): string {
  return /^\w{1,100}$/.test(key) ? `${path}.${key}` : `${path}[${shown(key)}]`
}

function shown(value: unknown): string {
  if (value === undefined) return 'not set'
  const text = JSON.stringify(value).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, ' ')
  const most = limits.nameCharsMax
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Returns the names that either schema declares, with the schemas of each on both sides. */
export function listKeys({ narrow, wide }: SchemaPair) {
  const [has, wanted] = [schemasByName(narrow), schemasByName(wide)]
  const names = new Set([narrow, wide].flatMap(({ properties = {} }) => Object.keys(properties)))
  return [...names].map((name) => {
    const [own, required] = [has(name), wanted(name)]
    return { name, has: own, wanted: required, declared: own.length > 0 }
  })
}

function schemasByName({ properties = {}, patternProperties = {} }: PayloadSchema) {
  const patterns = Object.entries(patternProperties).map(([source, schema]) => {
    return { pattern: parsePattern(source), schema }
  })
  return (name: string): PayloadSchema[] => {
    const matching = patterns.filter(({ pattern }) => {
      return typeof pattern !== 'string' && pattern.test(name)
    })
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined
    return [...(own ? [own] : []), ...matching.map(({ schema }) => schema)]
  }
}
