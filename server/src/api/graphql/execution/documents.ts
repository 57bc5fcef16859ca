import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoFragmentCyclesRule,
  parse,
  Source,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import type { ErrorCode } from '../../../foundation/kernel/index.ts'
import { graphqlLimits } from '../limits.ts'
import { argumentsRule } from './arguments.ts'
import { planQuery, type QueryPlan } from './plan.ts'
import {
  fieldNames,
  introspectionRule,
  measureDocument,
  repeatsRule,
  structureRule,
} from './structure.ts'

/** A document that was parsed, found valid, and may be run any number of times. */
export type PreparedDocument = {
  readonly document: DocumentNode
  /** Fields it selects, fragments written out. */
  readonly selections: number
  /** The names of these fields, wherever they stand. */
  readonly names: ReadonlySet<string>
  /** Undefined for what graphql-js runs. */
  readonly plan: QueryPlan | undefined
}

/** The documents of this process. They hold no data of anybody, so all businesses share them. */
export type Documents = {
  /** Returns the parsed and validated document, or its errors. */
  prepare(text: string): PreparedDocument | readonly GraphQLError[]
}

export function createDocuments(schema: GraphQLSchema): Documents {
  const kept = new Map<string, PreparedDocument>()

  function keep(text: string, entry: PreparedDocument): void {
    if (text.length > graphqlLimits.graphqlKeptCharsMax) return
    kept.set(text, entry)
    if (kept.size <= graphqlLimits.graphqlDocumentsMax) return
    const [oldest] = kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
  }

  return {
    prepare(text) {
      const known = kept.get(text)
      if (known !== undefined) {
        // A Map keeps the order of insertion: the one used last goes to the end.
        kept.delete(text)
        kept.set(text, known)
        return known
      }
      const document = read(schema, text)
      if (!('kind' in document)) return document
      const entry = begin(schema, document)
      keep(text, entry)
      return entry
    },
  }
}

function begin(schema: GraphQLSchema, document: DocumentNode): PreparedDocument {
  const { selections } = measureDocument(document)
  return { document, selections, names: fieldNames(document), plan: planQuery(schema, document) }
}

function read(schema: GraphQLSchema, text: string): DocumentNode | readonly GraphQLError[] {
  try {
    const source = new Source(text)
    const document = parse(source, { maxTokens: graphqlLimits.graphqlTokensMax })
    // The library would count the lines before each node of an error; `formatError` asks tokens.
    Object.assign(source, { body: '' })
    const errors = check(schema, document)
    return errors.length > 0 ? errors : document
  } catch (error) {
    if (error instanceof GraphQLError) return [error]
    // Lists in lists, or selections, by the thousand: the parser goes one call down for each.
    if (error instanceof RangeError) return [tooDeep()]
    throw error
  }
}

function tooDeep(): GraphQLError {
  const code: ErrorCode = 'too_deep'
  return new GraphQLError('The document is nested too deeply.', { extensions: { code } })
}

/** Each step makes the next one affordable: the standard rules are the last. */
const steps: readonly (readonly ValidationRule[])[] = [
  [structureRule],
  [NoFragmentCyclesRule],
  [repeatsRule],
  [introspectionRule],
  [argumentsRule],
  specifiedRules,
]

function check(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  for (const rules of steps) {
    const errors = validate(schema, document, rules, {
      maxErrors: graphqlLimits.graphqlErrorsMax,
    })
    if (errors.length > 0) return errors.map(invalid)
  }
  return []
}

function invalid(error: GraphQLError): GraphQLError {
  if (typeof error.extensions.code === 'string') return error
  // The rule about overlapping fields gives up on its own budget, by this word.
  const tooMuch = error.message.includes('aborted')
  const code: ErrorCode = tooMuch ? 'too_complex' : 'invalid_argument'
  const { message, nodes, source, positions } = error
  return new GraphQLError(message, { nodes, source, positions, extensions: { code } })
}
