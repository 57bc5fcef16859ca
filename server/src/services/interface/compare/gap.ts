import { limits } from '../../../kernel/index.ts'
import { parsePattern } from '../schema/pattern.ts'
import type { PayloadSchema } from '../schema/payload.ts'

/**
 * Which way values go, seen from the subscribers: `in` is what they give, so the schema after must
 * take all that the one before took; `out` is what they get, so it must let nothing new pass.
 */
export type Flow = 'in' | 'out'

/** The schemas of one place: all that `narrow` lets pass is to pass `wide`. */
export type Pair = { readonly narrow: PayloadSchema; readonly wide: PayloadSchema }

/** What a change breaks at one place of a payload. */
export type Gap = {
  readonly path: string
  readonly keyword: string
  readonly before: unknown
  readonly after: unknown
}

/** `narrow` is the schema before of what is given, and the one after of what comes back. */
export function pairOf(flow: Flow, before: PayloadSchema, after: PayloadSchema): Pair {
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

export function sentenceOf({ path, keyword, before, after }: Gap): string {
  if (keyword === 'required') {
    return after === true ? `${path} is required now` : `${path} may be missing now`
  }
  return `${path}: ${keyword} was ${shown(before)}, is ${shown(after)}`
}

/** A place of a payload. Names are somebody's text: short, and in one line. */
export function within(path: string, key: string): string {
  return /^\w{1,100}$/.test(key) ? `${path}.${key}` : `${path}[${shown(key)}]`
}

function shown(value: unknown): string {
  if (value === undefined) return 'not said'
  const text = JSON.stringify(value).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, ' ')
  const most = limits.nameCharsMax
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The names that are written out on either side, with the schemas that hold for each there. */
export function keysOf({ narrow, wide }: Pair) {
  const [has, wanted] = [schemasByName(narrow), schemasByName(wide)]
  const names = new Set([narrow, wide].flatMap(({ properties = {} }) => Object.keys(properties)))
  return [...names].map((name) => {
    const [kept, asked] = [has(name), wanted(name)]
    return { name, has: kept, wanted: asked, declared: kept.length > 0 }
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
