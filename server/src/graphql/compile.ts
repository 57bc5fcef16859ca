import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  OperationTypeNode,
  visit,
} from 'graphql'
import { compileQuery as compile, isCompiledQuery } from 'graphql-jit'
import { limits } from '../kernel/index.ts'
import type { Context } from './context.ts'

/** Runs a document's one query. It knows no abort: what waits must ask the request's `Work`. */
export type CompiledQuery = (
  root: undefined,
  context: Context,
  variables: Readonly<Record<string, unknown>> | undefined,
) => Promise<ExecutionResult> | ExecutionResult

/**
 * Whether a document may become JavaScript. graphql-jit writes literals and names of the document
 * into the code that it evaluates, and its escapes have holes: a certain text as an argument runs
 * as code. So only what cannot carry a text is compiled: no string or list literal, no default of a
 * variable, and no name that starts with two underscores. Directives are left out because its
 * reading of @skip and @include differs from the specification where fragments repeat; mutations,
 * because they gain nothing. All these run as they are, and slower.
 */
export function isCompilable(document: DocumentNode, selections: number): boolean {
  if (selections > limits.graphqlCompiledSelectionsMax) return false
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  )
  if (operations.length !== 1 || operations[0]?.operation !== OperationTypeNode.QUERY) return false
  return !hasUnsafeNode(document)
}

const unsafeKinds: ReadonlySet<string> = new Set([Kind.STRING, Kind.LIST, Kind.DIRECTIVE])

function hasUnsafeNode(document: DocumentNode): boolean {
  let found = false
  visit(document, {
    enter(node) {
      const unsafe =
        unsafeKinds.has(node.kind) ||
        (node.kind === Kind.VARIABLE_DEFINITION && node.defaultValue !== undefined) ||
        (node.kind === Kind.NAME && node.value.startsWith('__') && node.value !== '__typename')
      if (!unsafe) return undefined
      found = true
      return BREAK
    },
  })
  return found
}

/** The document as JavaScript; undefined where graphql-jit cannot do it. */
export function compileQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
): CompiledQuery | undefined {
  const compiled = compile(schema, document, undefined, {
    // Values of the standard scalars come from the stores as what they are.
    disableLeafSerialization: true,
    disablingCapturingStackErrors: true,
  })
  return isCompiledQuery(compiled) ? compiled.query : undefined
}
