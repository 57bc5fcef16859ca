import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { type ErrorCode, limits } from '../kernel/index.ts'
import { type CompiledQuery, compileQuery, isCompilable } from './compile.ts'
import { fieldNames, measureDocument, structureRule } from './structure.ts'

/** A document that was parsed, found valid, and may be run any number of times. */
export type Prepared = {
  readonly document: DocumentNode
  /** Fields it selects, fragments written out. */
  readonly selections: number
  /** The names of these fields, wherever they stand. */
  readonly names: ReadonlySet<string>
  /** Its compiled form, once it has been used often enough. */
  readonly compiled: CompiledQuery | undefined
}

/** The documents of this process. They hold no data of anybody, so all businesses share them. */
export type Documents = {
  /** What a text says; or what is wrong with it. */
  prepare(text: string): Prepared | readonly GraphQLError[]
}

type Kept = Omit<Prepared, 'compiled'> & {
  readonly compilable: boolean
  compiled: CompiledQuery | undefined
  uses: number
}

export function createDocuments(schema: GraphQLSchema): Documents {
  const kept = new Map<string, Kept>()

  function keep(text: string, entry: Kept): void {
    if (text.length > limits.graphqlKeptCharsMax) return
    kept.set(text, entry)
    if (kept.size <= limits.graphqlDocumentsMax) return
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
        return used(schema, known)
      }
      const document = read(text)
      if (!('kind' in document)) return document
      const errors = check(schema, document)
      if (errors.length > 0) return errors
      const entry = begin(document)
      keep(text, entry)
      return entry
    },
  }
}

function begin(document: DocumentNode): Kept {
  const { selections } = measureDocument(document)
  const compilable = isCompilable(document, selections)
  const names = fieldNames(document)
  return { document, selections, names, compilable, compiled: undefined, uses: 1 }
}

function used(schema: GraphQLSchema, entry: Kept): Kept {
  entry.uses += 1
  if (entry.uses === limits.graphqlCompileAfter && entry.compilable) {
    entry.compiled = compileQuery(schema, entry.document)
  }
  return entry
}

function read(text: string): DocumentNode | readonly GraphQLError[] {
  try {
    return parse(text, { maxTokens: limits.graphqlTokensMax })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return [error]
  }
}

function check(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const tooComplex = validate(schema, document, [structureRule])
  if (tooComplex.length > 0) return tooComplex
  return validate(schema, document, specifiedRules).map(invalid)
}

function invalid(error: GraphQLError): GraphQLError {
  // The rule about overlapping fields gives up on its own budget, by this word.
  const tooMuch = error.message.includes('aborted')
  const code: ErrorCode = tooMuch ? 'too_complex' : 'invalid_argument'
  const { message, nodes, source, positions } = error
  return new GraphQLError(message, { nodes, source, positions, extensions: { code } })
}
