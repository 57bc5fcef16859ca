import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import {
  type DocumentProblem,
  type ErrorCode,
  Fault,
  type Logger,
} from '../../foundation/kernel/index.ts'
import type { RowError } from './generated/resolvers.ts'

/**
 * Formats an error for the caller: the sentence and code of a fault, the words of the GraphQL
 * library about the request itself, and `internal` alone for any other error, which is logged in
 * full.
 */
export function formatError(thrown: unknown, logger: Logger): GraphQLFormattedError {
  if (!(thrown instanceof GraphQLError)) {
    // graphql-http throws plain errors for a request that it cannot read, and for nothing else.
    const message = thrown instanceof Error ? thrown.message : 'The request is malformed.'
    return { message, extensions: { code: 'malformed_request' satisfies ErrorCode } }
  }
  const cause = findCause(thrown)
  if (cause instanceof Fault && cause.code !== 'internal') {
    return located(thrown, cause.detail, cause.code, cause.problems)
  }
  if (cause !== undefined || isOurs(thrown)) {
    logger.error({ err: cause ?? thrown, path: thrown.path }, 'a GraphQL field failed')
    return located(thrown, 'internal', 'internal')
  }
  return located(thrown, thrown.message, toCode(thrown))
}

/** Returns the error thrown inside a resolver, without its wrappers. */
function findCause(error: GraphQLError): Error | undefined {
  let cause: Error | undefined = error.originalError
  while (cause instanceof GraphQLError) cause = cause.originalError
  return cause
}

/** A promise of the schema that our data broke: nothing that the caller did. */
function isOurs(error: GraphQLError): boolean {
  return error.message.startsWith('Cannot return null for non-nullable field')
}

function toCode(error: GraphQLError): ErrorCode {
  const code = error.extensions?.code
  if (typeof code === 'string') return code as ErrorCode
  if (!error.message.startsWith('Syntax Error')) return 'invalid_argument'
  return error.message.includes('Parsing aborted') ? 'too_many_tokens' : 'malformed_request'
}

function located(
  error: GraphQLError,
  message: string,
  code: ErrorCode,
  problems?: readonly DocumentProblem[],
): GraphQLFormattedError {
  const locations = listLocations(error)
  return {
    message,
    ...(locations === undefined ? {} : { locations }),
    ...(error.path === undefined ? {} : { path: error.path }),
    extensions: problems === undefined ? { code } : { code, problems },
  }
}

/** A token of the document has its line; for an error without nodes, the library counts lines. */
function listLocations({ nodes, locations }: GraphQLError) {
  const tokens = nodes?.flatMap(({ loc }) => loc?.startToken ?? [])
  return tokens?.map(({ line, column }) => ({ line, column })) ?? locations
}

/** The error of one of several rows. @throws what ends the request, or is nobody's doing. */
export function toRowError(error: unknown): RowError {
  const isOurs = !(error instanceof Fault) || error.code === 'internal'
  if (isOurs || error.code === 'too_complex' || error.code === 'time_exceeded') throw error
  return { code: error.code, message: error.detail }
}
