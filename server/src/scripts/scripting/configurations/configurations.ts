import { Fault, limits, StrictObject } from '../../../foundation/kernel/index.ts'
import {
  type PreparedConfiguration,
  prepareAdded,
  prepareUpdated,
  storePrepared,
  type WantedService,
} from '../projects/prepare.ts'
import { changeSolution, requireSolution } from '../registry/change.ts'
import type { RegistryOptions } from '../registry/options.ts'
import {
  deleteConfiguration,
  readConfiguration,
  readConfigurations,
} from '../store/configurations.ts'
import { prepareNotification, withNotifications } from './change-notification.ts'
import type { Configuration, StoredConfiguration } from './configuration.ts'
import type { ServiceSettings } from './service.ts'

/** The services of a solution. */
export type Configurations = {
  /** In the order in which they were added. @throws Fault not_found */
  list(businessId: string, solutionId: string): Promise<Configuration[]>
  /** @throws Fault not_found */
  get(businessId: string, solutionId: string, id: string): Promise<Configuration>
  /**
   * The contract of the settings of a configuration, one without any if its service has none or is
   * gone; undefined if it takes any.
   */
  getSettings(configuration: Configuration): Promise<ServiceSettings | undefined>
  /**
   * `wanted.body` is for the service to judge; its events' default scripts become handlers of the
   * solution. @throws Fault not_found, invalid_argument, already_exists where the alias is used
   */
  add(businessId: string, solutionId: string, wanted: WantedService): Promise<StoredConfiguration>
  /** @throws Fault not_found, invalid_argument, already_exists, breaking_change */
  update(
    businessId: string,
    solutionId: string,
    id: string,
    wanted: Omit<WantedService, 'service'>,
  ): Promise<StoredConfiguration>
  /** Its handlers stay. @throws Fault not_found */
  remove(businessId: string, solutionId: string, id: string): Promise<void>
}

export function createConfigurations(options: RegistryOptions): Configurations {
  const { database, services } = options

  async function get(businessId: string, solutionId: string, id: string) {
    await requireSolution(database, businessId, solutionId)
    const found = uuid.test(id)
      ? await readConfiguration(database, businessId, solutionId, id)
      : undefined
    if (found === undefined) throw unknownConfiguration()
    return found
  }

  return {
    async list(businessId, solutionId) {
      await requireSolution(database, businessId, solutionId)
      return readConfigurations(database, businessId, solutionId)
    },
    get,
    async getSettings(configuration) {
      const service = await services.of(configuration)
      return service?.configure === undefined ? noSettings : service.settings
    },
    async add(businessId, solutionId, wanted) {
      await requireSolution(database, businessId, solutionId)
      const prepared = await prepareAdded(options, businessId, solutionId, wanted)
      await storeAndNotify(options, 'added', prepared)
      return toStored(prepared)
    },
    async update(businessId, solutionId, id, wanted) {
      for (let tries = 1; ; tries += 1) {
        const before = await get(businessId, solutionId, id)
        const prepared = await prepareUpdated(options, before, wanted)
        const { byScript } = wanted
        if (await storeAndNotify(options, 'updated', prepared, byScript)) return toStored(prepared)
        if (tries >= limits.transactionTriesMax) throw new Fault('overloaded')
      }
    },
    async remove(businessId, solutionId, id) {
      const notification = await prepareNotification(
        options,
        'removed',
        await get(businessId, solutionId, id),
      )
      await withNotifications([notification], () =>
        changeSolution(options, businessId, solutionId, async (transaction) => {
          const gone = await deleteConfiguration(transaction, businessId, solutionId, id)
          if (gone === undefined) throw unknownConfiguration()
          await notification.storeIn(transaction, gone)
          return true
        }),
      )
    },
  }
}

function toStored({ after, notes = [] }: PreparedConfiguration): StoredConfiguration {
  return notes.length === 0 ? after : { ...after, notes }
}

const noSettings: ServiceSettings = {
  schema: () => StrictObject({}),
  listSecrets: () => [],
  hasTriggers: false,
}

/** @returns false where somebody else changed it since it was read. */
async function storeAndNotify(
  options: RegistryOptions,
  kind: 'added' | 'updated',
  prepared: PreparedConfiguration,
  byScript?: boolean,
): Promise<boolean> {
  const { businessId, solutionId } = prepared.after
  const notification = await prepareNotification(options, kind, prepared.after, { byScript })
  let stored = true
  await withNotifications([notification], () =>
    changeSolution(options, businessId, solutionId, async (transaction, _, at) => {
      stored = await storePrepared(transaction, prepared, at)
      if (stored) await notification.storeIn(transaction, prepared.after)
      return stored
    }),
  )
  return stored
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function unknownConfiguration(): Fault {
  return new Fault('not_found', 'The solution has no such service configuration.')
}
