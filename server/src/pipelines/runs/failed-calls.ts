import {
  type LifecycleEvent,
  type ProcessRequest,
  readProcessRequest,
  type SignalData,
} from '@millrace/insight-sdk/protocol'
import type { DeadJob, DeadJobKey } from '../../jobs/index.ts'
import { Fault, isJsonObject } from '../../kernel/index.ts'
import { assetIdOf, type RunInput, type SentCall } from './run-input.ts'
import type { Runs } from './runs.ts'

/** A call of a function that failed for good, or a run that was not begun: it has no link. */
export type FailedCall = {
  readonly id: string
  readonly assetId: string
  readonly link: SentCall['link'] | null
  /** The body of the call. */
  readonly request: ProcessRequest | LifecycleEvent | null
  readonly trackingId: string | null
  readonly error: { readonly code: string; readonly reason: string }
  /** Number of times that it was tried, by itself and because somebody retried it. */
  readonly tries: number
  /** Microseconds: when it was first kept, and when it failed for the last time. */
  readonly createdAt: number
  readonly failedAt: number
}

export type FailedCallPage = {
  /** Newest first. */
  readonly calls: readonly FailedCall[]
  readonly before: DeadJobKey | undefined
}

/** Calls of functions that failed, for the business that owns them. */
export type FailedCalls = {
  list(
    businessId: string,
    asked: { readonly limit?: number | undefined; readonly before?: DeadJobKey | undefined },
  ): Promise<FailedCallPage>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<FailedCall>
  /** Replaces the data of a call; makes none. @throws Fault not_found, invalid_argument */
  correct(businessId: string, id: string, data: readonly unknown[]): Promise<void>
  /**
   * Makes a call again, after all that wait for its asset; what its function feeds follows.
   * @param data in place of those before. @throws Fault not_found, invalid_argument
   */
  retry(businessId: string, id: string, data?: readonly unknown[]): Promise<void>
  /** Makes all of them again, in the order in which they failed. @returns how many. */
  retryAll(businessId: string): Promise<number>
  /** @throws Fault not_found */
  discard(businessId: string, id: string): Promise<void>
  /** @returns how many. */
  discardAll(businessId: string): Promise<number>
}

export function createFailedCalls({ deadLetters }: Pick<Runs, 'deadLetters'>): FailedCalls {
  async function corrected(businessId: string, id: string, data: readonly unknown[]) {
    const { input } = await deadLetters.get(businessId, businessId, id).catch(rethrow)
    return withData(input, data)
  }

  return {
    async list(businessId, asked) {
      const { jobs, before } = await deadLetters.list(businessId, businessId, asked)
      return { calls: jobs.map(failedCallOf), before }
    },
    async get(businessId, id) {
      return failedCallOf(await deadLetters.get(businessId, businessId, id).catch(rethrow))
    },
    async correct(businessId, id, data) {
      const input = await corrected(businessId, id, data)
      await deadLetters.correct(businessId, businessId, id, input).catch(rethrow)
    },
    async retry(businessId, id, data) {
      const input = data && { input: await corrected(businessId, id, data) }
      await deadLetters.retry(businessId, businessId, id, input).catch(rethrow)
    },
    retryAll: (businessId) => deadLetters.retryAll(businessId, businessId),
    discard: (businessId, id) => deadLetters.discard(businessId, businessId, id).catch(rethrow),
    discardAll: (businessId) => deadLetters.discardAll(businessId, businessId),
  }
}

function failedCallOf({
  id,
  key,
  input,
  failure,
  attempts,
  ...job
}: DeadJob<RunInput>): FailedCall {
  const { detail, reason } = failure
  const code = isJsonObject(detail) && typeof detail.code === 'string' ? detail.code : 'internal'
  return {
    id,
    assetId: input.kind === 'setup' ? '' : assetIdOf(key),
    ...shownOf(input, id),
    error: { code, reason },
    tries: input.kind === 'call' ? (input.call.tries ?? attempts) : attempts,
    createdAt: job.createdAtUs,
    failedAt: job.failedAtUs,
  }
}

function shownOf(
  input: RunInput,
  jobId: string,
): Pick<FailedCall, 'link' | 'request' | 'trackingId'> {
  if (input.kind === 'call') {
    const { link, request, trackingId } = input.call
    return { link, request, trackingId }
  }
  if (input.kind === 'setup') return { link: null, request: null, trackingId: jobId }
  if (input.kind === 'run') return { link: null, request: null, trackingId: null }
  return { link: input.link, request: input.event, trackingId: null }
}

/** @throws Fault invalid_argument */
function withData(input: RunInput, data: readonly unknown[]): RunInput {
  if (input.kind !== 'call') {
    throw new Fault('invalid_argument', 'The call was not made, so it has no data to replace.')
  }
  if (data.length === 0) throw new Fault('invalid_argument', 'The data: a call needs some.')
  const { call } = input
  const read = readProcessRequest({ ...call.request, data })
  if (read.error !== undefined) throw new Fault('invalid_argument', `The data: ${read.error}.`)
  const request = { ...call.request, data: data as readonly SignalData[] }
  return { ...input, call: { ...call, request } }
}

/** @throws Fault not_found in the words of calls; any other error as it is. */
function rethrow(error: unknown): never {
  if (error instanceof Fault && error.code === 'not_found') {
    throw new Fault('not_found', 'There is no such call that failed.')
  }
  throw error
}
