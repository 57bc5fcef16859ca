import type { Transaction } from '../../database/index.ts'
import { Fault } from '../../kernel/index.ts'
import type { InlineDelivery } from '../events/inline-delivery.ts'
import type { Needs } from '../needs.ts'
import type { Ended } from '../runtime/engine.ts'
import type { HandlerCall } from '../scripting.ts'
import type { Configuration } from './configuration.ts'
import type { ConfigurationChange, Hearer, Service } from './service.ts'

/**
 * A change of a configuration, and who is told of it. What a solution is to hear is kept in the
 * transaction of the change: it comes exactly where the change does, whatever is cut after it.
 */
export type Announcement = {
  /** In the transaction of the change; the last time counts, where that ran several times. */
  keepIn(transaction: Transaction, configuration: Configuration): Promise<void>
  /** After the COMMIT; what the service makes of it undoes nothing. */
  committed(): Promise<void>
  /** The change failed, and nobody knows how far it came. */
  failed(): void
}

type Kept = { readonly change: ConfigurationChange; readonly held?: InlineDelivery }

/** To be asked for before the change: who hears of it is looked up outside its transaction. */
export async function announce(
  needs: Needs,
  kind: ConfigurationChange['kind'],
  configuration: Configuration,
): Promise<Announcement> {
  const service = await findService(needs, configuration)
  const hearer = await service?.hearer?.(kind, configuration)
  let kept: Kept | undefined
  return {
    async keepIn(transaction, now) {
      kept = undefined
      const held = await keep(needs, transaction, hearer, now)
      kept = { change: { kind, configuration: now }, ...(held !== undefined && { held }) }
    },
    async committed() {
      if (kept === undefined) return
      const { change, held } = kept
      if (held === undefined) {
        if (hearer !== undefined) needs.deliveries.wake()
        return tell(needs, service, change)
      }
      await held.run(hearer?.wallMsMax, (end) => tell(needs, service, change, end))
    },
    failed: () => kept?.held?.release(),
  }
}

/** Makes a change, and then lets its announcements go, or drops them. */
export async function announced<Result>(
  announcements: readonly Announcement[],
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await change()
    for (const one of announcements) await one.committed()
    return result
  } catch (error) {
    for (const one of announcements) one.failed()
    throw error
  }
}

async function findService(
  { services, logger }: Needs,
  configuration: Configuration,
): Promise<Service | undefined> {
  try {
    return await services.of(configuration)
  } catch (error) {
    // Its name may mean several by now; what it was is configured no less.
    if (!(error instanceof Fault)) throw error
    const { solutionId, service } = configuration
    logger.warn({ err: error, solutionId, service }, 'a service of a solution is not clear')
    return undefined
  }
}

async function keep(
  { deliveries }: Needs,
  transaction: Transaction,
  hearer: Hearer | undefined,
  configuration: Configuration,
): Promise<InlineDelivery | undefined> {
  if (hearer === undefined) return undefined
  const call: HandlerCall = hearer.call(configuration)
  if (hearer.wallMsMax !== undefined) return deliveries.holdIn(transaction, call)
  await deliveries.addIn(transaction, [call])
  return undefined
}

async function tell(
  { logger }: Needs,
  service: Service | undefined,
  change: ConfigurationChange,
  end?: Ended,
): Promise<void> {
  try {
    await service?.configured?.(change, end)
  } catch (error) {
    const { solutionId, service: name } = change.configuration
    const what = { err: error, solutionId, service: name }
    logger.warn(what, 'a service could not be told of its configuration')
  }
}
