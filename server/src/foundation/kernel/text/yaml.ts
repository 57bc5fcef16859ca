// @ts-expect-error: it brings no types.
import * as yaml from 'js-yaml'
import { Fault } from '../errors.ts'
import { limits } from '../limits.ts'
import { jsonBounds, parseJson } from './json.ts'
import { withoutMark } from './text.ts'

/** The used part of js-yaml. The schema is YAML 1.2's core: no dates, no merge keys. */
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

/** Nodes and directives of YAML have an indicator each; in prose few characters are one. */
const indicator = /[-?:](?=\s|$)|[,[{]|^%/gm

/**
 * Parses a text of JSON or YAML, which is not trusted: its aliases and the values that it makes are
 * limited, so the effort is; the caller limits its length. @throws YamlProblem
 */
export function parseYaml(given: string, most: YamlLimits): unknown {
  const text = withoutMark(given)
  const json = isFlow.test(text) ? jsonIn(text, most) : undefined
  const value = json ?? yamlIn(text, most)
  if (!isTree(value, most)) throw new YamlProblem('has values that are too many, or circular')
  if (json === undefined && mergeKey.test(text)) refuseMergeKeys(value)
  return value
}

/** Writes a value of JSON as YAML. */
export function formatYaml(value: unknown): string {
  return dump(value, { schema, lineWidth: -1 })
}

const isFlow = /^\s*[{[]/
const isJson = /^\s*(?:\{\s*["}]|\[\s*["{}\]])/
const mergeKey = /<<["']?\s*:/

/** Flow style of YAML looks like JSON: undefined for what may be that. @throws YamlProblem */
function jsonIn(text: string, { valuesMax }: YamlLimits): unknown {
  try {
    return parseJson(text, jsonBounds(valuesMax))
  } catch (error) {
    if (error instanceof Fault || isJson.test(text)) throw toProblem(error)
    return undefined
  }
}

function yamlIn(text: string, { aliasesMax }: YamlLimits): unknown {
  if ((text.match(alias)?.length ?? 0) > aliasesMax) {
    throw new YamlProblem(`has more than ${aliasesMax} aliases`)
  }
  const { yamlIndicatorsMax, yamlLinesMax } = limits
  if (!hasAtMost(yamlIndicatorsMax, indicator, text)) {
    throw new YamlProblem(`has more than ${yamlIndicatorsMax} indicators of YAML: write it as JSON`)
  }
  if (!hasAtMost(yamlLinesMax, /\n/g, text)) {
    throw new YamlProblem(`has more than ${yamlLinesMax} lines of YAML: write it as JSON`)
  }
  try {
    return load(text, { schema })
  } catch (error) {
    throw toProblem(error)
  }
}

/** Returns whether a global pattern matches so often or less, without reading further. */
function hasAtMost(times: number, pattern: RegExp, text: string): boolean {
  let found = 0
  for (const _ of text.matchAll(pattern)) {
    found += 1
    if (found > times) return false
  }
  return true
}

/** YAML 1.1 merges the fields of a mapping under this key; the schema here is that of 1.2. */
function refuseMergeKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '<<')) {
    throw new YamlProblem('has a merge key (<<), which is not supported: write the fields out')
  }
  for (const inner of Object.values(value)) refuseMergeKeys(inner)
}

function toProblem(error: unknown): YamlProblem {
  return new YamlProblem(`cannot be read: ${formatReason(error)}`, { cause: error })
}

/** An error of js-yaml has the reason and the line apart. */
function formatReason(error: unknown): string {
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
