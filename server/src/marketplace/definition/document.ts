// @ts-expect-error: it brings no types.
import * as yaml from 'js-yaml'
import {
  type DocumentProblem,
  isJsonObject,
  type JsonObject,
  limits,
  parseJson,
} from '../../kernel/index.ts'

/** What is used of js-yaml. The schema is YAML 1.2's core: no dates, no merge keys. */
const { CORE_SCHEMA: schema, load } = yaml as {
  readonly CORE_SCHEMA: object
  load(text: string, options: { readonly schema: object }): unknown
}

/** A definition that was parsed, or the problem for which it cannot be. */
export type ParsedDocument =
  | { readonly document: JsonObject }
  | { readonly problem: DocumentProblem }

/** A word that YAML may read as an alias: many of them make a small text a large value. */
const alias = /(?:^|[\s,[{:-])\*[^\s,[\]{}*]+(?=[\s,\]}]|$)/g

/**
 * Parses an OpenAPI file, JSON or YAML, which is not trusted: the text, its aliases and the values
 * that it makes are limited, so the effort is. Nothing is fetched.
 */
export function parseDocument(text: string): ParsedDocument {
  const { definitionBytesMax, definitionAliasesMax } = limits
  // Every character has a byte at least, and one that has more has at most 3.
  if (text.length > definitionBytesMax || Buffer.byteLength(text) > definitionBytesMax) {
    return problem(`it has more than ${definitionBytesMax} bytes`)
  }
  const isJson = /^\s*[{[]/.test(text)
  if (!isJson && (text.match(alias)?.length ?? 0) > definitionAliasesMax) {
    return problem(`it has more than ${definitionAliasesMax} aliases`)
  }
  try {
    const value = isJson ? parseJson(text) : load(text, { schema })
    if (!isJsonObject(value)) return problem('it holds no object')
    return isTree(value) ? { document: value } : problem('its values are too many, or circular')
  } catch (error) {
    return problem(`it cannot be read: ${reasonOf(error)}`)
  }
}

function problem(detail: string): ParsedDocument {
  return { problem: { pointer: '', detail } }
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
  return `${reason.slice(0, limits.moduleSentenceCharsMax)}${place}`
}

/** Returns false for more values than a definition may have, counting those of each alias. */
function isTree(root: JsonObject): boolean {
  let left = limits.definitionValuesMax
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    left -= inner.length
    if (left < 0 || depth > limits.jsonDepthMax) return false
    for (const one of inner) open.push({ value: one, depth: depth + 1 })
  }
  return true
}
