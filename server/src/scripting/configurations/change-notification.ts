import type { Transaction } from '../../database/index.ts'
import { Fault } from '../../kernel/index.ts'
import type { InlineDelivery } from '../events/inline-delivery.ts'
import type { ScriptingNeeds } from '../registry/options.ts'
import type { Ended } from '../runtime/engine.ts'
import type { HandlerCall } from '../scripting.ts'
import type { Configuration } from './configuration.ts'
import type { ChangeSubscriber, ConfigurationChange, Service } from './service.ts'

/**
 * A change of a configuration, and who is told of it. What a solution is to hear is kept in the
 * transaction of the change: it comes exactly where the change does, whatever is cut after it.
 */
export type ChangeNotification = {
  /** In the transaction of the change; the last time counts, where that ran several times. */
  storeIn(transaction: Transaction, configuration: Configuration): Promise<void>
  /** After the COMMIT; what the service makes of it undoes nothing. */
  committed(): Promise<void>
  /** The change failed, and nobody knows how far it came. */
  failed(): void
}

type StoredChange = { readonly change: ConfigurationChange; readonly delivery?: InlineDelivery }

/** To be asked for before the change: who hears of it is looked up outside its transaction. */
export async function prepareNotification(
  needs: ScriptingNeeds,
  kind: ConfigurationChange['kind'],
  configuration: Configuration,
): Promise<ChangeNotification> {
  const service = await findService(needs, configuration)
  const hearer = await service?.changeSubscriber?.(kind, configuration)
  let kept: StoredChange | undefined
  return {
    async storeIn(transaction, now) {
      kept = undefined
      const held = await storeDelivery(needs, transaction, hearer, now)
      kept = { change: { kind, configuration: now }, ...(held !== undefined && { delivery: held }) }
    },
    async committed() {
      if (kept === undefined) return
      const { change, delivery: held } = kept
      if (held === undefined) {
        if (hearer !== undefined) needs.deliveries.wake()
        return notifyService(needs, service, change)
      }
      await held.run(hearer?.wallMsMax, (end) => notifyService(needs, service, change, end))
    },
    failed: () => kept?.delivery?.release(),
  }
}

/** Makes a change, and then lets its announcements go, or drops them. */
export async function withNotifications<Result>(
  announcements: readonly ChangeNotification[],
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
  { services, logger }: ScriptingNeeds,
  configuration: Configuration,
): Promise<Service | undefined> {
  try {
    return await services.of(configuration)
  } catch (error) {
    // Its name may mean several by now; what it was is configured no less.
    if (!(error instanceof Fault)) throw error
    const { solutionId, service } = configuration
    logger.warn({ err: error, solutionId, service }, 'the service of a configuration is ambiguous')
    return undefined
  }
}

async function storeDelivery(
  { deliveries }: ScriptingNeeds,
  transaction: Transaction,
  hearer: ChangeSubscriber | undefined,
  configuration: Configuration,
): Promise<InlineDelivery | undefined> {
  if (hearer === undefined) return undefined
  const call: HandlerCall = hearer.call(configuration)
  if (hearer.wallMsMax !== undefined) return deliveries.addInlineIn(transaction, call)
  await deliveries.addIn(transaction, [call])
  return undefined
}

async function notifyService(
  { logger }: ScriptingNeeds,
  service: Service | undefined,
  change: ConfigurationChange,
  end?: Ended,
): Promise<void> {
  try {
    await service?.onConfigurationChange?.(change, end)
  } catch (error) {
    const { solutionId, service: name } = change.configuration
    const what = { err: error, solutionId, service: name }
    logger.warn(what, 'failed to notify a service of its configuration')
  }
}
