import { type Clock, Fault } from '../../../foundation/kernel/index.ts'
import type { Job, NewJob } from '../../../log/jobs/index.ts'
import { type Marketplace, ModuleAway, type Use } from '../../marketplace/index.ts'
import type { CallLimits } from '../modules/call-limits.ts'
import type { ModuleClient } from '../modules/client.ts'
import type { RunInput } from './run-input.ts'
import { busy, callFailure, isOverloaded, type RunOutcome } from './run-job.ts'

export type SetupJobOptions = {
  readonly marketplace: Pick<Marketplace, 'uses'>
  readonly client: Pick<ModuleClient, 'setup'>
  readonly callLimits: Pick<CallLimits, 'run'>
  readonly clock: Clock
}

type SetupJob = Job<RunInput> & { readonly input: { readonly kind: 'setup' } }

/**
 * The job that calls `init` or `gc` of a module, if its definition names one. It holds the use as
 * it is, with its values sealed: after a removal nothing else has it.
 */
export function setupJob(operation: 'init' | 'gc', use: Use): NewJob<RunInput>[] {
  if (use.listing.operations[operation] === undefined) return []
  const { businessId, id } = use
  // Both of one use in their order.
  const key = `module ${id}`
  return [{ businessId, tenant: businessId, key, input: { kind: 'setup', operation, use } }]
}

/**
 * Calls the operation with the id of the job as its tracking id, so that a module can tell a
 * repetition. While the module is away the call is made again, with the pauses of the queue; what
 * fails for good is a dead letter.
 */
export async function runSetupJob(
  options: SetupJobOptions,
  { id: trackingId, businessId, input }: SetupJob,
): Promise<RunOutcome> {
  const { client, callLimits, clock } = options
  const { operation } = input
  const use = await currentUse(options, input)
  if (use === undefined) return { kind: 'done' }
  try {
    const endpoint = options.marketplace.uses.endpoints(use)[operation]
    if (endpoint === undefined) return { kind: 'done' }
    const body = operation === 'init' ? options.marketplace.uses.values(use) : undefined
    const call = () => client.setup(businessId, endpoint, { body, trackingId })
    await callLimits.run(businessId, [use], call)
    return { kind: 'done' }
  } catch (error) {
    if (isOverloaded(error)) return busy(clock)
    if (!(error instanceof Fault)) throw error
    const detail = `${operation} of the module "${use.name}": ${error.detail}`
    const failure = callFailure(new Fault(error.code, detail, { cause: error }))
    return { kind: error instanceof ModuleAway ? 'retry' : 'dead', failure }
  }
}

/** `init` is for the use as it is now; undefined if it has ended meanwhile. */
async function currentUse(
  { marketplace: { uses } }: SetupJobOptions,
  { operation, use }: SetupJob['input'],
): Promise<Use | undefined> {
  if (operation === 'gc') return use
  const [now] = await uses.ofIds(use.businessId, [use.id])
  return now
}
