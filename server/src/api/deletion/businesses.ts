import { hasRemovals } from '../../devices/provisioning/index.ts'
import {
  type Clock,
  Fault,
  type Logger,
  limits,
  requireConfirmed,
} from '../../foundation/kernel/index.ts'
import type { JobOutcome, JobQueue } from '../../log/jobs/index.ts'
import { deletionLimits } from './limits.ts'
import { createPreviews, type PreviewsOptions } from './previews.ts'
import { type BusinessParts, closeBusiness, removeRest, removeStored } from './steps.ts'
import { addDeletion, countRemoved, dropFinished, findDeletion, keepStep } from './store.ts'
import type { BusinessDeletion, Deletion } from './types.ts'

/** The interval at which such a deletion checks whether it may go on. */
const businessRemovalEveryMs = 1_000
/** The time for which it can be asked that a business was deleted. */
const businessRemovalKeptHours = 30 * 24

/*
 * The deletion of a business.
 *
 * A single transaction ends it: it is not found any more, its sessions, API tokens and users are
 * gone, and a job is stored that does the rest. The caller then waits until its connectors and
 * solutions are deleted, each by itself. The remaining rows may be millions: the job removes them
 * in bounded transactions, so that no device of others waits. Each step may be ended and begun
 * again by another process. The steps are in types.ts.
 */

export type DeletionOptions = BusinessParts &
  PreviewsOptions & { readonly clock: Clock; readonly logger: Logger }

type Input = { readonly businessId: string }

const usPerMs = 1_000
const usPerHour = 3_600_000_000

export function createDeletion(options: DeletionOptions): Deletion {
  const { database, accounts, clock, logger } = options
  const previews = createPreviews(options)
  const queue = createQueue(options)
  const found = async (nameOrId: string) => {
    const deletion = await findDeletion(database, nameOrId)
    if (deletion === undefined) throw new Fault('not_found', 'No such business was deleted.')
    return deletion
  }

  return {
    ...previews,
    async removeBusiness(nameOrId, { by, confirm }) {
      const { id, name, dependants } = await previews.business(nameOrId)
      requireConfirmed({ what: 'the business', names: [name, id], given: confirm }, dependants)
      await database.transaction(async (transaction) => {
        await accounts.removeBusiness(transaction, id)
        const requestedAt = clock.nowUs()
        const begun = { id, name, requestedBy: by, requestedAt, removed: 0, finishedAt: null }
        await addDeletion(transaction, { ...begun, step: 'closing' })
        const job = { businessId: '', tenant: 'businesses', key: id, input: { businessId: id } }
        await queue.enqueue(transaction, [job])
      })
      accounts.businessRemoved(id)
      logger.info({ businessId: id, by }, 'a business is being deleted')
      await closeBusiness(options, id)
      queue.wake()
      return found(id)
    },
    async removeConnector(businessId, id, { cascade = false, confirm: given, ip }) {
      if (!cascade) {
        const { name, dependants } = await previews.connector(businessId, id)
        const refusal = { names: [name, id], given, code: 'connector_in_use' } as const
        requireConfirmed({ what: 'the connector', ...refusal }, dependants)
      }
      await options.provisioning.removals.remove(businessId, id, { cascade: true, ip })
    },
    async removeSolution(businessId, id, given) {
      const { name, dependants } = await previews.solution(businessId, id)
      requireConfirmed({ what: 'the solution', names: [name || id, id], given }, dependants)
      await options.scripting.solutions.remove(businessId, id)
    },
    progress: found,
    async sweep() {
      const kept = businessRemovalKeptHours * usPerHour
      await dropFinished(database, clock.nowUs() - kept)
    },
  }
}

function createQueue(options: DeletionOptions): JobQueue<Input> {
  return options.jobs.queue<Input>({
    name: 'deletion',
    run: ({ input: { businessId } }, signal) => runDeletion(options, businessId, signal),
    retry: { attemptsMax: Number.MAX_SAFE_INTEGER, firstMs: 1_000, maxMs: 60_000 },
    tenantRunsMax: 1,
    tenantClaimMax: 1,
    claimedMax: 1,
    waitingMax: limits.pageMax,
    overflow: { step: 'enqueue', reason: 'Too many businesses are being deleted.' },
    deadMax: limits.pageMax,
    deadHours: businessRemovalKeptHours,
  })
}

async function runDeletion(
  options: DeletionOptions,
  businessId: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { database, clock, logger } = options
  const next = () => findDeletion(database, businessId)
  for (let deletion = await next(); deletion !== undefined; deletion = await next()) {
    if (deletion.step === 'done') return { kind: 'done' }
    if (deletion.step === 'settling' && !(await isSettled(options, deletion))) {
      return { kind: 'snooze', untilUs: clock.nowUs() + businessRemovalEveryMs * usPerMs }
    }
    if (!(await runStep(options, deletion, signal))) return { kind: 'released' }
  }
  logger.warn({ businessId }, 'the record of a deletion is gone')
  return { kind: 'cancelled' }
}

/** @returns false if the process closes: then the step is not over. */
async function runStep(
  options: DeletionOptions,
  { id, step }: BusinessDeletion,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, clock, logger } = options
  switch (step) {
    case 'closing':
      await closeBusiness(options, id)
      await keepStep(database, id, 'removing')
      return true
    case 'removing':
      if (!(await removeAll(options, id, [removeStored], signal))) return false
      await keepStep(database, id, 'settling')
      return true
    case 'settling':
      await keepStep(database, id, 'checking')
      return true
    default:
      if (!(await removeAll(options, id, [removeStored, removeRest], signal))) return false
      await keepStep(database, id, 'done', clock.nowUs())
      logger.info({ businessId: id }, 'a business was deleted, and nothing is left of it')
      return true
  }
}

async function removeAll(
  options: DeletionOptions,
  id: string,
  removals: readonly (typeof removeStored)[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const remove of removals) {
    for await (const rows of remove(options, id)) {
      if (rows > 0) await countRemoved(options.database, id, rows)
      if (signal.aborted) return false
    }
  }
  return true
}

/** No process has anything of it in a cache, and nothing of its devices is left. */
async function isSettled(
  { database, clock }: DeletionOptions,
  { id, requestedAt }: BusinessDeletion,
): Promise<boolean> {
  const settled = requestedAt + deletionLimits.businessRemovalSettleMs * usPerMs
  return clock.nowUs() >= settled && !(await hasRemovals(database, id))
}
