import type { Transaction } from '../../database/index.ts'
import { idTaken } from '../../hosts/index.ts'
import { Fault, limits, newId } from '../../kernel/index.ts'
import { refuseForeignCa } from '../certificates/own-ca.ts'
import { apiKeyContext, trustedCa } from '../certificates/pki.ts'
import { createCache } from '../credentials/cache.ts'
import { type Revocations, wholeConnector } from '../credentials/revocations.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  countConnectors,
  insertConnector,
  listConnectors,
  lockConnector,
  readConnector,
  updateConnector,
} from '../store/connectors.ts'
import {
  type Connector,
  defaultSettings,
  isConnectorId,
  type NewConnector,
  parseConnectorId,
  parseSettings,
  type Settings,
  type SettingsInput,
} from './connector.ts'

/** Connectors, for operators and for the device API. */
export type Connectors = {
  /** @throws Fault `invalid_argument` (also at `limits.connectorsMax`), `already_exists`. */
  create(businessId: string, input: NewConnector): Promise<Connector>
  /** @throws Fault `not_found`, also for another business's connector. */
  get(businessId: string, id: string): Promise<Connector>
  /**
   * For the device API: at once if it was read within `limits.connectorCacheMs`. Undefined if there
   * is none.
   */
  find(id: string): Connector | Promise<Connector | undefined>
  /** Makes the next `find` read the database. */
  forget(id: string): void
  /** In the order in which they were made. */
  list(businessId: string): Promise<Connector[]>
  /**
   * Changes what is named and leaves the rest. Resources are `changed` one by one, where nothing
   * else is said; `replaced` those that are not named are deleted.
   * @throws Fault `invalid_argument`, `not_found`.
   */
  patch(businessId: string, id: string, part: SettingsInput, how?: PatchOptions): Promise<Connector>
  /**
   * The settings of a new connector, or of that of the id after a change; stores nothing.
   * @throws Fault `invalid_argument`, `not_found`.
   */
  preview(
    businessId: string,
    id: string | undefined,
    part: SettingsInput,
    how?: Pick<PatchOptions, 'resources'>,
  ): Promise<{ readonly before: Settings; readonly after: Settings }>
}

export type PatchOptions = {
  readonly resources?: 'changed' | 'replaced'
  /** Runs in the transaction of the change, before it, with the connector locked. */
  readonly first?: (transaction: Transaction, connector: Connector) => Promise<void>
}

/** @param revocations returned when it is needed: it is built upon the connectors. */
export function createConnectors(
  options: ProvisioningOptions,
  revocations: () => Pick<Revocations, 'writeIn' | 'publish'>,
): Connectors {
  const { database, hosts, clock, random, secrets } = options
  const { connectorCacheMax: entriesMax, connectorCacheMs: keepMs } = limits
  const load = (id: string) => readConnector(database, id)
  const cache = createCache<Connector>({ entriesMax, keepMs, clock, load })

  const sealFor = (id: string) => (text: string) => secrets.seal(text, apiKeyContext(id))

  async function get(businessId: string, id: string): Promise<Connector> {
    const connector = isConnectorId(id) ? await readConnector(database, id) : undefined
    if (connector?.businessId !== businessId) throw unknownConnector()
    return connector
  }

  return {
    async create(businessId, input) {
      const { id: chosen, ...rest } = input
      const id = chosen === undefined ? newId(random) : parseConnectorId(chosen)
      const settings = parseSettings(rest, defaultSettings(), sealFor(id))
      await refuseForeignCa(database, id, defaultSettings().pki, settings.pki)
      await database.transaction(async (transaction) => {
        const { connectorsMax } = limits
        if ((await countConnectors(transaction, businessId)) >= connectorsMax) {
          throw new Fault('invalid_argument', `a business has at most ${connectorsMax} connectors`)
        }
        await hosts.take(transaction, { label: id, kind: 'connector', businessId })
        const at = clock.nowUs()
        const inserted = await insertConnector(transaction, businessId, id, settings, at)
        if (!inserted) throw idTaken()
      })
      hosts.forget(id)
      cache.evict(id)
      return { id, businessId, ...settings }
    },
    get,
    // No connector has such an id, so the database is not read: ids come from hosts, bodies, user
    // names.
    find: (id) => (isConnectorId(id) ? cache.get(id) : Promise.resolve(undefined)),
    forget: (id) => cache.evict(id),
    list: (businessId) => listConnectors(database, businessId, limits.connectorsMax),
    async patch(businessId, id, part, { resources, first }: PatchOptions = {}) {
      const { connector, written } = await database.transaction(async (transaction) => {
        const before = await lockConnector(transaction, businessId, id)
        if (before === undefined) throw unknownConnector()
        await first?.(transaction, before)
        const settings = settingsAfter(before, part, resources, sealFor(id))
        await refuseForeignCa(transaction, id, before.pki, settings.pki)
        await updateConnector(transaction, businessId, id, settings)
        const withdrawals = isStricter(before, settings) ? wholeConnector : []
        return {
          connector: { id, businessId, ...settings },
          written: await revocations().writeIn(transaction, id, withdrawals),
        }
      })
      cache.evict(id)
      revocations().publish(written)
      return connector
    },
    async preview(businessId, id, part, { resources } = {}) {
      const before = id === undefined ? defaultSettings() : await get(businessId, id)
      return { before, after: settingsAfter(before, part, resources, sealFor(id ?? '')) }
    },
  }
}

/** Resources that are replaced are defined anew. @throws Fault invalid_argument */
function settingsAfter(
  before: Settings,
  part: SettingsInput,
  resources: PatchOptions['resources'],
  seal: (text: string) => string,
): Settings {
  const isReplaced = resources === 'replaced' && part.resources !== undefined
  return parseSettings(part, isReplaced ? { ...before, resources: new Map() } : before, seal)
}

/** Returns true if some connections that were allowed before are not any more. */
function isStricter(before: Settings, now: Settings): boolean {
  return (before.devmode && !now.devmode) || trustedCa(before) !== trustedCa(now)
}

/** The refusal of a connector that is not there, or another business's. */
export function unknownConnector(): Fault {
  return new Fault('not_found', 'the business has no such connector')
}
