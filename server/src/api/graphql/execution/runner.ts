import type { ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql'
import { createContext, type GraphqlServices } from '../context.ts'
import { formatError } from '../errors.ts'
import type { GraphqlRequest } from '../http/http.ts'
import { asGraphqlError, isSubscription } from '../http/operation.ts'
import { requireAffordable } from '../limits/check-cost.ts'
import { startWork } from '../limits/work.ts'
import { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'
import { runSubscription } from '../subscriptions/run.ts'
import { requireTexts } from './arguments.ts'
import { runDocument } from './execute.ts'
import { createRepeats, type RepeatsOptions } from './repeats.ts'

export type RunnerOptions = GraphqlServices & RepeatsOptions

/** Runs the operations of requests. */
export type Runner = {
  /** A query or a mutation. */
  run(request: GraphqlRequest): Promise<ExecutionResult>
  /** The same as the answer that goes out. */
  execute(request: GraphqlRequest): Promise<object>
  /** A subscription, or the one answer of another operation. */
  stream(request: GraphqlRequest, ending: AbortController): AsyncGenerator<object>
  endStreams(): void
}

/** @param msMax the time of one operation; that of a subscription for each event. */
export function createRunner(options: RunnerOptions, schema: GraphQLSchema, msMax: number): Runner {
  const { database, clock, logger } = options
  const openSubscriptions = new OpenSubscriptions(options)
  const services = { repeats: createRepeats(options), ...options }

  async function run(request: GraphqlRequest): Promise<ExecutionResult> {
    const { principal, prepared, use, operationName, variables } = request
    const refused = findRefusals(schema, request)
    if (refused.length > 0) return { errors: refused }
    const startMs = clock.elapsedMs()
    const work = startWork(prepared.selections, msMax)
    const context = createContext(services, principal, work, prepared.names)
    const runIt = () => runDocument(schema, prepared, context, { operationName, variables })
    const result = await database.within(work.signal, runIt, work)
    use.cost = work.cost
    const { subject } = principal
    logger.debug({ subject, ms: clock.elapsedMs() - startMs }, 'a GraphQL document was run')
    return result
  }

  const subscribing = {
    schema,
    logger,
    makeContext({ principal, prepared }: GraphqlRequest, ending: AbortSignal) {
      const work = startWork(prepared.selections, msMax)
      return createContext(services, principal, work, prepared.names, ending)
    },
  }

  async function execute(request: GraphqlRequest): Promise<object> {
    const { errors, ...result } = await run(request)
    const extensions = { cost: request.use.report() }
    if (errors === undefined) return { ...result, extensions }
    return { errors: errors.map((error) => formatError(error, logger)), ...result, extensions }
  }

  async function* stream(request: GraphqlRequest, ending: AbortController) {
    if (!isSubscription(request.prepared.document, request.operationName)) {
      yield await execute(request)
      return
    }
    const refused = findRefusals(schema, request)
    if (refused.length > 0) {
      yield { errors: refused.map((error) => formatError(error, logger)) }
      return
    }
    // The time for which it is open is no work.
    request.use.end()
    yield* runSubscription(subscribing, request, () => openSubscriptions.open(request, ending))
  }

  return { run, execute, stream, endStreams: () => openSubscriptions.close() }
}

/** The errors of a document that may cost too much, of its variables, or of their texts. */
function findRefusals(
  schema: GraphQLSchema,
  { prepared: { document }, operationName, variables }: GraphqlRequest,
): readonly GraphQLError[] {
  const asked = { document, operationName, variables }
  try {
    requireTexts(schema, asked)
    return requireAffordable(schema, asked)
  } catch (error) {
    return [asGraphqlError(error)]
  }
}
