// @ts-expect-error: it brings no types.
import * as yaml from 'js-yaml'
import { jsonBounds, parseJson } from './json.ts'
import { withoutMark } from './text.ts'

/** What is used of js-yaml. The schema is YAML 1.2's core: no dates, no merge keys. */
const {
  CORE_SCHEMA: schema,
  dump,
  load,
} = yaml as {
  readonly CORE_SCHEMA: object
  dump(value: unknown, options: { readonly schema: object; readonly lineWidth: number }): string
  load(text: string, options: { readonly schema: object }): unknown
}

export type YamlLimits = {
  readonly aliasesMax: number
  /** Values, those of each alias counted again. */
  readonly valuesMax: number
  readonly depthMax: number
}

/** The reason for which a text cannot be read, as a sentence without its subject. */
export class YamlProblem extends Error {}

/** A word that YAML may read as an alias: many of them make a small text a large value. */
const alias = /(?:^|[\s,[{:-])\*[^\s,[\]{}*]+(?=[\s,\]}]|$)/g

/**
 * Parses a text of JSON or YAML, which is not trusted: its aliases and the values that it makes are
 * limited, so the effort is; the caller limits its length. @throws YamlProblem
 */
export function parseYaml(given: string, most: YamlLimits): unknown {
  const text = withoutMark(given)
  const isJson = /^\s*[{[]/.test(text)
  if (!isJson && (text.match(alias)?.length ?? 0) > most.aliasesMax) {
    throw new YamlProblem(`has more than ${most.aliasesMax} aliases`)
  }
  const value = read(text, isJson, most)
  if (!isTree(value, most)) throw new YamlProblem('has values that are too many, or circular')
  return value
}

/** Writes a value of JSON as YAML. */
export function formatYaml(value: unknown): string {
  return dump(value, { schema, lineWidth: -1 })
}

/** Flow style of YAML looks like JSON. */
function read(text: string, isJson: boolean, { valuesMax }: YamlLimits): unknown {
  try {
    return isJson ? parseJson(text, jsonBounds(valuesMax)) : load(text, { schema })
  } catch (error) {
    throw new YamlProblem(`cannot be read: ${reasonOf(error)}`, { cause: error })
  }
}

/** An error of js-yaml has the reason and the line apart. */
function reasonOf(error: unknown): string {
  const {
    message,
    reason = message,
    mark,
  } = error as Error & {
    readonly reason?: string
    readonly mark?: { readonly line: number }
  }
  const place = mark === undefined ? '' : ` in line ${mark.line + 1}`
  return `${reason}${place}`
}

/** Returns false for more values than there may be, counting those of each alias. */
function isTree(root: unknown, { valuesMax, depthMax }: YamlLimits): boolean {
  let left = valuesMax
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    left -= inner.length
    if (left < 0 || depth > depthMax) return false
    for (const one of inner) open.push({ value: one, depth: depth + 1 })
  }
  return true
}
