import {
  cut,
  type DocumentProblem,
  isJsonObject,
  type JsonObject,
  limits,
  parseYaml,
  YamlProblem,
} from '../../../foundation/kernel/index.ts'
import { marketplaceLimits } from '../limits.ts'

/** A definition that was parsed, or the problem for which it cannot be. */
export type ParsedDocument =
  | { readonly document: JsonObject }
  | { readonly problem: DocumentProblem }

/**
 * Parses an OpenAPI file, JSON or YAML, which is not trusted: the text, its aliases and the values
 * that it makes are limited, so the effort is. Nothing is fetched.
 */
export function parseDocument(text: string): ParsedDocument {
  const { definitionAliasesMax, definitionValuesMax, jsonDepthMax } = limits
  const { definitionBytesMax } = marketplaceLimits
  // Every character has a byte at least, and one that has more has at most 3.
  if (text.length > definitionBytesMax || Buffer.byteLength(text) > definitionBytesMax) {
    return problem(`it has more than ${definitionBytesMax} bytes`)
  }
  try {
    const value = parseYaml(text, {
      aliasesMax: definitionAliasesMax,
      valuesMax: definitionValuesMax,
      depthMax: jsonDepthMax,
    })
    return isJsonObject(value) ? { document: value } : problem('it holds no object')
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error
    return problem(`it ${cut(error.message, limits.moduleSentenceCharsMax)}`)
  }
}

function problem(detail: string): ParsedDocument {
  return { problem: { pointer: '', detail } }
}
