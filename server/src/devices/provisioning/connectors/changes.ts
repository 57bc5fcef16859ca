import type { Transaction } from '../../../foundation/database/index.ts'
import { Fault, limits, newId } from '../../../foundation/kernel/index.ts'
import { idTaken } from '../../hosts/index.ts'
import { refuseForeignCa } from '../certificates/own-ca.ts'
import { apiKeyContext, trustedCa } from '../certificates/pki.ts'
import { type Revocations, wholeConnector } from '../credentials/revocations.ts'
import type { ProvisioningOptions } from '../options.ts'
import {
  countConnectors,
  insertConnector,
  lockConnector,
  updateConnector,
} from '../store/connectors.ts'
import {
  type Connector,
  defaultSettings,
  type NewConnector,
  parseConnectorId,
  parseSettings,
  type Settings,
  type SettingsInput,
} from './connector.ts'

/** A change of a connector that is stored in a transaction of the caller. */
export type PreparedConnector = {
  readonly id: string
  /** @throws Fault as `create` or `patch` of the connectors */
  storeIn(transaction: Transaction): Promise<Connector>
  /** To be called once that transaction was committed. */
  stored(): void
}

export type PatchOptions = {
  readonly resources?: 'changed' | 'replaced'
  /** Runs in the transaction of the change, before it, with the connector locked. */
  readonly first?: (transaction: Transaction, connector: Connector) => Promise<void>
}

export type ConnectorWork = Pick<
  ProvisioningOptions,
  'changes' | 'hosts' | 'clock' | 'random' | 'secrets'
> & {
  /** Drops what is cached of a connector. */
  readonly evict: (id: string) => void
  readonly revocations: () => Pick<Revocations, 'writeIn' | 'publish'>
}

type WrittenRevocations = Awaited<ReturnType<Revocations['writeIn']>>

export async function prepareCreate(
  options: ConnectorWork,
  businessId: string,
  { id: chosen, ...rest }: NewConnector,
): Promise<PreparedConnector> {
  const { hosts, clock, random } = options
  const id = chosen === undefined ? newId(random) : parseConnectorId(chosen)
  const settings = parseSettings(rest, defaultSettings(), sealFor(options, id))
  return {
    id,
    async storeIn(transaction) {
      const { connectorsMax } = limits
      await refuseForeignCa(transaction, id, defaultSettings().pki, settings.pki)
      if ((await countConnectors(transaction, businessId)) >= connectorsMax) {
        throw new Fault('invalid_argument', `a business has at most ${connectorsMax} connectors`)
      }
      await hosts.take(transaction, { label: id, kind: 'connector', businessId })
      const at = clock.nowUs()
      const inserted = await insertConnector(transaction, businessId, id, settings, at)
      if (!inserted) throw idTaken()
      options.changes.publish(transaction, businessId, 'connectors')
      return { id, businessId, ...settings }
    },
    stored() {
      hosts.forget(id)
      options.evict(id)
    },
  }
}

export function preparePatch(
  options: ConnectorWork,
  businessId: string,
  id: string,
  part: SettingsInput,
  { resources, first }: PatchOptions = {},
): PreparedConnector {
  const { evict, revocations } = options
  let withdrawn: WrittenRevocations | undefined
  return {
    id,
    async storeIn(transaction) {
      const before = await lockConnector(transaction, businessId, id)
      if (before === undefined) throw unknownConnector()
      await first?.(transaction, before)
      const settings = settingsAfter(before, part, resources, sealFor(options, id))
      await refuseForeignCa(transaction, id, before.pki, settings.pki)
      await updateConnector(transaction, businessId, id, settings)
      options.changes.publish(transaction, businessId, 'connectors')
      const withdrawals = isStricter(before, settings) ? wholeConnector : []
      withdrawn = await revocations().writeIn(transaction, id, withdrawals)
      return { id, businessId, ...settings }
    },
    stored() {
      evict(id)
      if (withdrawn !== undefined) revocations().publish(withdrawn)
    },
  }
}

export function sealFor({ secrets }: Pick<ConnectorWork, 'secrets'>, id: string) {
  return (text: string) => secrets.seal(text, apiKeyContext(id))
}

/** Resources that are replaced are defined anew. @throws Fault invalid_argument */
export function settingsAfter(
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
