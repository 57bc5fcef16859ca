import {
  createSourceEventStream,
  type ExecutionResult,
  executeSubscriptionEvent,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  validateSubscriptionArgs,
} from 'graphql'
import { type Logger, toFault } from '../../../foundation/kernel/index.ts'
import type { Context } from '../context.ts'
import { formatError } from '../errors.ts'
import type { GraphqlRequest } from '../http/http.ts'
import type { OpenSubscription } from './open-subscriptions.ts'

/** An answer of a subscription as it goes out. */
export type EventAnswer = Omit<ExecutionResult, 'errors'> & {
  readonly errors?: readonly GraphQLFormattedError[]
}

export type RunSubscriptionOptions = {
  readonly schema: GraphQLSchema
  readonly logger: Logger
  /** A fresh context: each event has its own budget. */
  readonly makeContext: (request: GraphqlRequest, ending: AbortSignal) => Context
}

/**
 * Runs a subscription, once it may be opened: one answer for each event, until the client ends it.
 * An end that the client did not ask for is the last answer, with its error.
 */
export async function* runSubscription(
  { schema, logger, makeContext }: RunSubscriptionOptions,
  request: GraphqlRequest,
  open: () => OpenSubscription,
): AsyncGenerator<EventAnswer> {
  let session: OpenSubscription | undefined
  const format = ({ errors, ...result }: ExecutionResult): EventAnswer =>
    errors === undefined
      ? result
      : { errors: errors.map((one) => formatError(one, logger)), ...result }
  try {
    session = open()
    const { signal } = session
    const contextValue = makeContext(request, signal)
    // Its sources have no time limit.
    contextValue.work.done()
    const args = validateSubscriptionArgs({
      schema,
      document: request.prepared.document,
      contextValue,
      variableValues: request.variables,
      operationName: request.operationName,
    })
    if (!('schema' in args)) {
      yield format({ errors: args })
      return
    }
    const stream = await createSourceEventStream(args)
    if (!(Symbol.asyncIterator in stream)) {
      yield format(stream)
      return
    }
    for await (const event of stream) {
      const context = makeContext(request, signal)
      const own = { rootValue: event, contextValue: context }
      yield format(await executeSubscriptionEvent({ ...args, ...own }))
      context.work.done()
    }
    if (signal.reason instanceof Error && signal.reason.name === 'Fault') throw signal.reason
  } catch (error) {
    yield format({ errors: [asGraphqlError(error)] })
  } finally {
    session?.end()
  }
}

function asGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const fault = toFault(error)
  return new GraphQLError(fault.detail, { originalError: fault })
}
