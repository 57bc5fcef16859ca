import { type ExecutionResult, execute, GraphQLError, type GraphQLSchema } from 'graphql'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { Context } from '../context.ts'
import type { PreparedDocument } from './documents.ts'
import { runPlan } from './run-plan.ts'

type Variables = Readonly<Record<string, unknown>> | undefined

/**
 * Runs a document within the time of its request. When the time is up, or the answer too large, the
 * answer is one error without data, at once. Queries that still run in the database are cancelled
 * by the caller's scope, and nothing more is asked of a store, because whatever asks one looks at
 * the request's signal first.
 */
export async function runDocument(
  schema: GraphQLSchema,
  prepared: PreparedDocument,
  context: Context,
  request: { readonly operationName: string | undefined; readonly variables: Variables },
): Promise<ExecutionResult> {
  const { signal } = context.work
  try {
    const { plan } = prepared
    const { operationName = plan?.operationName, variables } = request
    if (plan !== undefined && operationName === plan.operationName) {
      return await untilAborted(signal, runPlan(schema, plan, context, variables))
    }
    const result = await execute({
      schema,
      document: prepared.document,
      contextValue: context,
      variableValues: request.variables,
      operationName: request.operationName,
      abortSignal: signal,
    })
    context.work.countTexts(result.data)
    context.work.check()
    return result
  } catch (error) {
    if (!signal.aborted) throw error
    return { errors: [refusedBy(signal)] }
  } finally {
    context.work.done()
  }
}

/** graphql-js follows the signal itself; the run of a plan does not. */
function untilAborted(
  signal: AbortSignal,
  result: ReturnType<typeof runPlan>,
): ReturnType<typeof runPlan> {
  if (!(result instanceof Promise)) {
    signal.throwIfAborted()
    return result
  }
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    // It may be too large before there is anything to wait for.
    if (signal.aborted) reject(signal.reason)
    result.then(resolve, reject)
  })
}

function refusedBy(signal: AbortSignal): GraphQLError {
  const fault = signal.reason instanceof Fault ? signal.reason : new Fault('time_exceeded')
  return new GraphQLError(fault.detail, { originalError: fault })
}
