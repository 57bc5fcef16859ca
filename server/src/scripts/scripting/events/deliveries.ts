import type { Database, Transaction } from '../../../foundation/database/index.ts'
import {
  type Clock,
  elapsedMs,
  errorCatalogue,
  Fault,
  type Logger,
  limits,
  newId,
  pauseUnlessAborted,
  type Random,
} from '../../../foundation/kernel/index.ts'
import type { DeadJobKey, JobQueue, Jobs } from '../../../log/jobs/index.ts'
import { scriptingLimits } from '../limits.ts'
import type { Programs } from '../registry/programs.ts'
import type { HandlerRunner } from '../runtime/calls/handler-runner.ts'
import type { HandlerCall } from '../runtime/engine.ts'
import { scriptError } from '../runtime/script-error.ts'
import { type ScriptValue, sizeProblem } from '../runtime/value.ts'
import type { DeadDelivery } from '../schema.ts'
import {
  type DeadPage,
  type DeliveryInput,
  deliveryCodec,
  makeDelivery,
  toDeadDelivery,
  toFailure,
} from './delivery.ts'
import { createInlineDelivery, createRunDelivery, type InlineDelivery } from './delivery-runs.ts'

/** Deliveries of one solution that a process claims at once. */
const deliveryClaimMax = 256
/** Deliveries of one solution that run at once in a process. */
const deliveryRunsMax = 64
/** The longest such time. */
const deliveriesSlowMs = 1_000

/** Calls of handlers as jobs; their tenants are solutions. */
export type DeliveryJobs = JobQueue<DeliveryInput>

export type DeadDeliveriesQuery = {
  readonly before?: DeadJobKey | undefined
  /** At most `limits.pageMax`. */
  readonly limit?: number | undefined
}

/** Calls that wait for their turn, durable: a job, not a promise. */
export type Deliveries = {
  /** Kept by the caller's transaction; run soon after its COMMIT. */
  addIn(transaction: Transaction, calls: readonly HandlerCall[]): Promise<void>
  add(calls: readonly HandlerCall[]): Promise<void>
  /**
   * Resolves once few enough calls of the solutions wait (`deliveriesSlowAt`), at the latest
   * after `deliveriesSlowMs`: who adds calls faster than they run is slowed, so that none
   * ever fails because too many wait.
   */
  slowDown(solutionIds: readonly string[], signal: AbortSignal): Promise<void>
  /** Returns whether so many calls of the solution wait already. */
  isBehind(solutionId: string, count: number): Promise<boolean>
}

/** Durable calls, and the dead letters of those that failed for good. */
export type DeliveryQueue = Deliveries & {
  /** Kept by the caller's transaction, for the caller to run after its COMMIT. */
  addInlineIn(transaction: Transaction, call: HandlerCall): Promise<InlineDelivery>
  /** Starts the calls of an `addIn`, after its COMMIT. */
  wake(): void
  /** Dead letters, newest first. */
  list(businessId: string, solutionId: string, asked?: DeadDeliveriesQuery): Promise<DeadPage>
  /** Reads those of all solutions of a business, newest first. */
  ofBusiness(
    businessId: string,
    before: DeadJobKey | undefined,
    limit: number,
  ): Promise<DeadDelivery[]>
  /** Counts those of all solutions of a business, at most `most`. */
  count(businessId: string, most: number): Promise<number>
  /**
   * Finds a dead delivery of any solution of the business.
   * @throws Fault not_found
   */
  find(businessId: string, id: string): Promise<DeadDelivery>
  /** The solutions of a business that have any. */
  solutionsWithFailures(businessId: string): Promise<string[]>
  /** @throws Fault not_found */
  get(businessId: string, solutionId: string, id: string): Promise<DeadDelivery>
  /**
   * Requeues a dead letter behind all that wait. @throws Fault not_found, invalid_argument
   * @param argument replaces the one before, if that was wrong.
   */
  retry(
    businessId: string,
    solutionId: string,
    id: string,
    argument?: { readonly value: ScriptValue },
  ): Promise<void>
  /** Lets all of them run again, in the order in which they failed. @returns how many. */
  retryAll(businessId: string, solutionId: string): Promise<number>
  /** @throws Fault not_found */
  discard(businessId: string, solutionId: string, id: string): Promise<void>
  /** @returns how many. */
  discardAll(businessId: string, solutionId: string): Promise<number>
  /** All of a solution that is removed; those that waited count as failed. */
  removeIn(transaction: Transaction, businessId: string, solutionId: string): Promise<void>
}

export type DeliveriesOptions = {
  readonly database: Database
  readonly programs: Pick<Programs, 'get'>
  readonly runner: Pick<HandlerRunner, 'run' | 'runIn'>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** Registers the queue of calls of handlers. */
export function createDeliveryJobs(
  jobs: Pick<Jobs, 'queue'>,
  options: Omit<DeliveriesOptions, 'database' | 'random'>,
): DeliveryJobs {
  return jobs.queue<DeliveryInput>({
    name: 'scripts',
    stage: 'deliveries',
    run: createRunDelivery(options),
    tenantRunsMax: deliveryRunsMax,
    tenantClaimMax: deliveryClaimMax,
    waitingMax: limits.deliveriesWaitingMax,
    overflow: toFailure('enqueue', overloaded()),
    deadMax: limits.deadDeliveriesMax,
    deadHours: limits.deadDeliveryHours,
    codec: deliveryCodec,
  })
}

const overloaded = () =>
  scriptError(
    errorCatalogue.overloaded.status,
    `overloaded: ${limits.deliveriesWaitingMax} calls of the solution wait already.`,
  )

export function createDeliveries(queue: DeliveryJobs, options: DeliveriesOptions): DeliveryQueue {
  const { random } = options
  const { deadLetters } = queue
  const toDelivery = (call: HandlerCall) => {
    const { trackingId = newId(random) } = call
    return makeDelivery({ ...call, trackingId })
  }

  async function addIn(transaction: Transaction, calls: readonly HandlerCall[]): Promise<void> {
    await queue.enqueue(transaction, calls.map(toDelivery))
  }

  return {
    addIn,
    async addInlineIn(transaction, call) {
      const delivery = { ...toDelivery(call), first: { kind: 'running' } as const }
      const [stored] = await queue.enqueue(transaction, [delivery])
      if (stored === undefined) throw new Fault('internal')
      return createInlineDelivery(options, queue, stored)
    },
    wake: () => queue.wake(),
    add: (calls) => queue.add(calls.map(toDelivery)),
    slowDown: (solutionIds, signal) => waitForRoom(queue, solutionIds, signal),
    isBehind: (solutionId, count) => queue.isBehind(solutionId, count),
    async list(businessId, solutionId, asked) {
      const { jobs, before } = await deadLetters.list(businessId, solutionId, asked)
      return { deliveries: jobs.map(toDeadDelivery), before }
    },
    async ofBusiness(...asked) {
      return (await deadLetters.ofBusiness(...asked)).map(toDeadDelivery)
    },
    count: (...asked) => deadLetters.count(...asked),
    find: async (...key) => toDeadDelivery(await deadLetters.find(...key).catch(rethrow)),
    solutionsWithFailures: (businessId) => deadLetters.tenants(businessId),
    get: async (...key) => toDeadDelivery(await deadLetters.get(...key).catch(rethrow)),
    async retry(businessId, solutionId, id, argument) {
      if (argument === undefined) {
        return deadLetters.retry(businessId, solutionId, id).catch(rethrow)
      }
      const refused = sizeProblem(argument.value, limits.scriptValueBytesMax)
      if (refused !== undefined) throw new Fault('invalid_argument', `The argument: ${refused}`)
      const { input } = await deadLetters.get(businessId, solutionId, id).catch(rethrow)
      const corrected = { input: { ...input, argument: argument.value } }
      await deadLetters.retry(businessId, solutionId, id, corrected).catch(rethrow)
    },
    retryAll: (businessId, solutionId) => deadLetters.retryAll(businessId, solutionId),
    discard: (...key) => deadLetters.discard(...key).catch(rethrow),
    discardAll: (businessId, solutionId) => deadLetters.discardAll(businessId, solutionId),
    removeIn: (...which) => queue.removeTenant(...which),
  }
}

/** @throws Fault not_found with a sentence about deliveries; any other error unchanged. */
function rethrow(error: unknown): never {
  if (error instanceof Fault && error.code === 'not_found') {
    throw new Fault('not_found', 'The solution has no failed delivery with this id.')
  }
  throw error
}

/** Resolves after so long, or once the signal is aborted. */
type WaitUnlessAborted = (ms: number, signal: AbortSignal) => Promise<void>

/**
 * Resolves once few enough calls of the solutions wait (`deliveriesSlowAt`), at the latest
 * after `deliveriesSlowMs`: who adds calls faster than they run is slowed to their rate.
 */
export async function waitForRoom(
  queue: { waiting(solutionId: string): Promise<number> },
  solutionIds: readonly string[],
  signal: AbortSignal,
  pause: WaitUnlessAborted = pauseUnlessAborted,
): Promise<void> {
  const untilMs = elapsedMs() + deliveriesSlowMs
  for (const solutionId of solutionIds) {
    while ((await queue.waiting(solutionId)) > scriptingLimits.deliveriesSlowAt) {
      if (signal.aborted || elapsedMs() >= untilMs) return
      await pause(limits.jobCountMs, signal)
    }
  }
}
