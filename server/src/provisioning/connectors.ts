import { Fault, limits, newId } from '../kernel/index.ts'
import { createCache } from './cache.ts'
import {
  type Connector,
  defaultSettings,
  type NewConnector,
  parseConnectorId,
  parseSettings,
  type Settings,
  type SettingsInput,
} from './connector.ts'
import type { ProvisioningOptions } from './needs.ts'
import { apiKeyContext, trustedCa } from './pki.ts'
import { everyone, type Revocations } from './revocations.ts'
import {
  insertConnector,
  listConnectors,
  lockConnector,
  readConnector,
  updateConnector,
} from './store/connectors.ts'

/** Connectors as operators keep them, and as the doors find them. */
export type Connectors = {
  /** @throws Fault `invalid_argument` (also at `limits.connectorsMax`), `already_exists`. */
  create(businessId: string, input: NewConnector): Promise<Connector>
  /** @throws Fault `not_found`, also for another business's connector. */
  get(businessId: string, id: string): Promise<Connector>
  /**
   * For the doors: at once where it was read within `limits.connectorCacheMs`. Undefined where
   * there is none.
   */
  find(id: string): Connector | Promise<Connector | undefined>
  /** Makes the next `find` ask the database. */
  forget(id: string): void
  /** In the order in which they were made. */
  list(businessId: string): Promise<Connector[]>
  /**
   * Changes what is named and leaves the rest.
   * @throws Fault `invalid_argument`, `not_found`.
   */
  patch(businessId: string, id: string, part: SettingsInput): Promise<Connector>
}

/** @param revocations asked for when it is needed: it is built upon the connectors. */
export function createConnectors(
  options: ProvisioningOptions,
  revocations: () => Pick<Revocations, 'writeIn' | 'tell'>,
): Connectors {
  const { database, clock, random, secrets } = options
  const cache = createCache<Connector>({
    entriesMax: limits.connectorCacheMax,
    keepMs: limits.connectorCacheMs,
    clock,
    load: (id) => readConnector(database, id),
  })

  const sealFor = (id: string) => (text: string) => secrets.seal(text, apiKeyContext(id))

  async function get(businessId: string, id: string): Promise<Connector> {
    const connector = await readConnector(database, id)
    if (connector?.businessId !== businessId) throw unknownConnector()
    return connector
  }

  return {
    async create(businessId, input) {
      const { id: chosen, ...rest } = input
      const id = chosen === undefined ? newId(random) : parseConnectorId(chosen)
      const settings = parseSettings(rest, defaultSettings, sealFor(id))
      const inserted = await insertConnector(database, businessId, id, settings, {
        at: clock.nowUs(),
        connectorsMax: limits.connectorsMax,
      })
      if (inserted === 'full') {
        throw new Fault(
          'invalid_argument',
          `a business has at most ${limits.connectorsMax} connectors`,
        )
      }
      if (inserted === 'taken') throw new Fault('already_exists', `the id ${id} is taken`)
      cache.evict(id)
      return { id, businessId, ...settings }
    },
    get,
    find: (id) => cache.get(id),
    forget: (id) => cache.evict(id),
    list: (businessId) => listConnectors(database, businessId, limits.connectorsMax),
    async patch(businessId, id, part) {
      const { connector, written } = await database.transaction(async (transaction) => {
        const before = await lockConnector(transaction, businessId, id)
        if (before === undefined) throw unknownConnector()
        const settings = parseSettings(part, before, sealFor(id))
        await updateConnector(transaction, businessId, id, settings)
        const withdrawals = admitsLess(before, settings) ? everyone : []
        return {
          connector: { id, businessId, ...settings },
          written: await revocations().writeIn(transaction, id, withdrawals),
        }
      })
      cache.evict(id)
      revocations().tell(written)
      return connector
    },
  }
}

/** Whether some who were let in before may not be any more. */
function admitsLess(before: Settings, now: Settings): boolean {
  return (before.devmode && !now.devmode) || trustedCa(before) !== trustedCa(now)
}

function unknownConnector(): Fault {
  return new Fault('not_found', 'the business has no such connector')
}
