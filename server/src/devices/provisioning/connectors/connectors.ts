import { checkRetentionHours, limits } from '../../../foundation/kernel/index.ts'
import { requireWhole, toView, type View, type Viewer } from '../../../people/groups/index.ts'
import { createCache } from '../credentials/cache.ts'
import type { Revocations } from '../credentials/revocations.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  listConnectors,
  readConnector,
  readRetentions,
  writeRetention,
} from '../store/connectors.ts'
import {
  type ConnectorWork,
  type PatchOptions,
  type PreparedConnector,
  prepareCreate,
  preparePatch,
  sealFor,
  settingsAfter,
  unknownConnector,
} from './changes.ts'
import {
  type Connector,
  defaultSettings,
  isConnectorId,
  type NewConnector,
  type Settings,
  type SettingsInput,
} from './connector.ts'

/** Connectors that a process caches. */
const connectorCacheMax = 10_000

/** Connectors, for operators and for the device API. */
export type Connectors = {
  /** @throws Fault `invalid_argument` (also at `limits.connectorsMax`), `already_exists`. */
  create(businessId: string, input: NewConnector): Promise<Connector>
  /** As `create`, in a transaction of the caller. */
  prepareCreate(businessId: string, input: NewConnector): Promise<PreparedConnector>
  /** @throws Fault `not_found`, also for another business's connector. */
  get(businessId: string, id: string): Promise<Connector>
  /**
   * For the device API: at once if it was read within `connectorCacheMs`. Undefined if there
   * is none.
   */
  find(id: string): Connector | Promise<Connector | undefined>
  /** Makes the next `find` read the database. */
  forget(id: string): void
  /** In the order in which they were made. @throws Fault `forbidden` */
  list(viewer: Viewer): Promise<Connector[]>
  /**
   * Changes what is named and leaves the rest. Resources are `changed` one by one, where nothing
   * else is said; `replaced` those that are not named are deleted.
   * @throws Fault `invalid_argument`, `not_found`.
   */
  patch(businessId: string, id: string, part: SettingsInput, how?: PatchOptions): Promise<Connector>
  /** As `patch`, in a transaction of the caller. */
  preparePatch(
    businessId: string,
    id: string,
    part: SettingsInput,
    how?: PatchOptions,
  ): PreparedConnector
  /** Hours for which values of its devices are kept, by connectors that have a period. */
  retentions(businessId?: string): Promise<ReadonlyMap<string, number>>
  /** Null: as the business has it. @throws Fault `not_found`, `invalid_argument`, `forbidden`. */
  setRetention(view: View, id: string, hours: number | null): Promise<void>
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

/** @param revocations returned when it is needed: it is built upon the connectors. */
export function createConnectors(
  options: ProvisioningOptions,
  revocations: () => Pick<Revocations, 'writeIn' | 'publish'>,
): Connectors {
  const { database, changes, clock } = options
  const entriesMax = connectorCacheMax
  const { connectorCacheMs: keepMs } = provisioningLimits
  const load = (id: string) => readConnector(database, id)
  const cache = createCache<Connector>({ entriesMax, keepMs, clock, load })

  const work: ConnectorWork = { ...options, revocations, evict: (id) => cache.evict(id) }

  async function get(businessId: string, id: string): Promise<Connector> {
    const connector = isConnectorId(id) ? await readConnector(database, id) : undefined
    if (connector?.businessId !== businessId) throw unknownConnector()
    return connector
  }

  async function store({ storeIn, stored }: PreparedConnector): Promise<Connector> {
    const connector = await database.transaction(storeIn)
    stored()
    return connector
  }

  return {
    create: async (...input) => store(await prepareCreate(work, ...input)),
    prepareCreate: (...input) => prepareCreate(work, ...input),
    get,
    // No connector has such an id, so the database is not read: ids come from hosts, bodies, user
    // names.
    find: (id) => (isConnectorId(id) ? cache.get(id) : Promise.resolve(undefined)),
    forget: (id) => cache.evict(id),
    async list(viewer) {
      const view = toView(viewer)
      requireWhole(view, 'The list of connectors')
      return listConnectors(database, view.businessId, limits.connectorsMax)
    },
    patch: (...change) => store(preparePatch(work, ...change)),
    preparePatch: (...change) => preparePatch(work, ...change),
    retentions: (businessId) => readRetentions(database, businessId),
    setRetention: changes.publishing('connectors', async (view, id, hours) => {
      requireWhole(view, 'A change of a connector')
      const { businessId } = view
      checkRetentionHours(hours)
      if ((await writeRetention(database, businessId, id, hours)) === 0) throw unknownConnector()
    }),
    async preview(businessId, id, part, { resources } = {}) {
      const before = id === undefined ? defaultSettings() : await get(businessId, id)
      return { before, after: settingsAfter(before, part, resources, sealFor(options, id ?? '')) }
    },
  }
}
