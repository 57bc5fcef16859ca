import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { InlineDelivery } from '../events/delivery-runs.ts'
import { findHandling } from '../registry/build.ts'
import type { RegistryOptions } from '../registry/options.ts'
import type { Ended, HandlerCall } from '../runtime/engine.ts'
import type { ScriptValue } from '../runtime/value.ts'
import type { Configuration } from './configuration.ts'
import type { ChangeSubscriber, ConfigurationChange, Service } from './service.ts'

/**
 * A change of a configuration, and its notifications. The delivery to a solution is stored in the
 * transaction of the change, so that it happens exactly if the change does.
 */
export type ChangeNotification = {
  /** Runs in the transaction of the change; if that is repeated, the last run counts. */
  storeIn(transaction: Transaction, configuration: Configuration): Promise<void>
  /** Runs after the COMMIT; a failure of the service undoes nothing. */
  committed(): Promise<void>
  /** The change failed; whether it was committed is not known. */
  failed(): void
}

type StoredChange = {
  readonly change: ConfigurationChange
  readonly delivery: InlineDelivery | undefined
}

/** To be called before the change: the subscriber is looked up outside of its transaction. */
export async function prepareNotification(
  options: RegistryOptions,
  kind: ConfigurationChange['kind'],
  configuration: Configuration,
  { byScript = false }: { readonly byScript?: boolean | undefined } = {},
): Promise<ChangeNotification> {
  const service = await findService(options, configuration)
  const subscriber = await service?.changeSubscriber?.(kind, configuration)
  // A handler that changed the configuration again would go round for ever.
  const isHandled = !byScript && (await handlesChanges(options, configuration))
  let stored: StoredChange | undefined
  return {
    async storeIn(transaction, now) {
      stored = undefined
      if (isHandled) await options.deliveries.addIn(transaction, [ownCall(kind, now)])
      const delivery = await storeDelivery(options, transaction, subscriber, now)
      stored = { change: { kind, configuration: now }, delivery }
    },
    async committed() {
      if (stored === undefined) return
      const { change, delivery } = stored
      if (delivery === undefined) {
        if (subscriber !== undefined || isHandled) options.deliveries.wake()
        return notifyService(options, service, change)
      }
      await delivery.run(subscriber?.wallMsMax, (end) =>
        notifyService(options, service, change, end),
      )
    },
    failed: () => stored?.delivery?.release(),
  }
}

const configService = 'config'
const configEvent = 'service'

/** The solution's own handler of changes of its services, as it is before the change. */
async function handlesChanges(
  { programs }: RegistryOptions,
  { businessId, solutionId }: Configuration,
): Promise<boolean> {
  const loaded = await programs.get(businessId, solutionId)
  const call = { service: configService, event: configEvent }
  return loaded !== undefined && findHandling(loaded, call) !== undefined
}

function ownCall(action: ConfigurationChange['kind'], configuration: Configuration): HandlerCall {
  const { businessId, solutionId, service, alias, parameters } = configuration
  const argument = { service, script_key: alias, action, parameters } as ScriptValue
  return { businessId, solutionId, service: configService, event: configEvent, argument }
}

/** Makes a change, and then sends its notifications, or drops them. */
export async function withNotifications<Result>(
  notifications: readonly ChangeNotification[],
  change: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await change()
    for (const one of notifications) await one.committed()
    return result
  } catch (error) {
    for (const one of notifications) one.failed()
    throw error
  }
}

async function findService(
  { services, logger }: RegistryOptions,
  configuration: Configuration,
): Promise<Service | undefined> {
  try {
    return await services.of(configuration)
  } catch (error) {
    // Its name may mean several services by now; the configuration stays.
    if (!(error instanceof Fault)) throw error
    const { solutionId, service } = configuration
    logger.warn({ err: error, solutionId, service }, 'the service of a configuration is ambiguous')
    return undefined
  }
}

async function storeDelivery(
  { deliveries }: RegistryOptions,
  transaction: Transaction,
  subscriber: ChangeSubscriber | undefined,
  configuration: Configuration,
): Promise<InlineDelivery | undefined> {
  if (subscriber === undefined) return undefined
  const call: HandlerCall = subscriber.call(configuration)
  if (subscriber.wallMsMax !== undefined) return deliveries.addInlineIn(transaction, call)
  await deliveries.addIn(transaction, [call])
  return undefined
}

async function notifyService(
  { logger }: RegistryOptions,
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
