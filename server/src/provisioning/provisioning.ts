import { activate, activateWithPassword } from './activate.ts'
import { createAuthorities } from './authority.ts'
import { type CsvFile, type CsvImport, type ImportInput, openImport } from './bulk/import.ts'
import type { Connector } from './connector.ts'
import { type Connectors, createConnectors } from './connectors.ts'
import { type Contents, createContents } from './contents.ts'
import { type Credentials, createCredentials, type Device } from './credentials.ts'
import type { IdentityRecord, State, WhitelistInput } from './identity.ts'
import type { ProvisioningOptions } from './needs.ts'
import { type OwnAuthorities, ownAuthorities } from './own-authorities.ts'
import { type PendingValue, pending } from './pending.ts'
import { createPresence } from './presence.ts'
import type { Origin } from './provision.ts'
import {
  createRecords,
  type IdentityPage,
  type ListInput,
  type Records,
  tooLarge,
} from './records.ts'
import { remove } from './remove.ts'
import type { Revocations } from './revocations.ts'
import { setState } from './set-state.ts'
import { whitelistSigned } from './sign-identity.ts'
import { createSigner } from './signer.ts'
import { whitelist } from './whitelist.ts'
import { createWindows, type Windows } from './windows.ts'

/** Identities as operators keep them. All @throw Fault `not_found` for a foreign connector. */
export type Identities = {
  /** Lets an identity in, or changes one; see whitelist.ts. */
  whitelist(
    businessId: string,
    connectorId: string,
    identity: string,
    input?: WhitelistInput,
  ): Promise<IdentityRecord>
  /** Lets an identity in with a certificate that is made for its request; see sign-identity.ts. */
  whitelistSigned(
    businessId: string,
    connectorId: string,
    identity: string,
    csrPem: unknown,
    input?: WhitelistInput,
  ): Promise<{ readonly certificatePem: string }>
  /** @throws Fault `unknown_identity`. */
  get(businessId: string, connectorId: string, identity: string): Promise<IdentityRecord>
  /** Last seen first. @throws Fault `invalid_argument`. */
  list(businessId: string, connectorId: string, input?: ListInput): Promise<IdentityPage>
  /** @throws Fault `unknown_identity`. */
  remove(businessId: string, connectorId: string, identity: string): Promise<void>
  /** Whitelists the identities of a CSV file; see bulk/import.ts. */
  importCsv(
    businessId: string,
    connectorId: string,
    file: CsvFile,
    input?: ImportInput,
  ): Promise<CsvImport>
}

/** Who may speak: connectors, their resources and identities, credentials, current values. */
export type Provisioning = {
  readonly connectors: Connectors
  /** The built-in certificate authorities of connectors. */
  readonly authorities: OwnAuthorities
  readonly identities: Identities
  readonly windows: Windows
  /** What devices may download; see contents.ts. */
  readonly contents: Contents
  /** Gives a device its credential, once; see activate.ts. */
  activate(connector: Connector, identity: string, origin: Origin): Promise<{ token: string }>
  /** Provisions a device with the password that it brings, once; see activate.ts. */
  activateWithPassword(
    connector: Connector,
    identity: string,
    password: string,
    origin: Origin,
  ): Promise<void>
  readonly authenticateToken: Credentials['authenticateToken']
  readonly authenticatePassword: Credentials['authenticatePassword']
  readonly authenticateBasic: Credentials['authenticateBasic']
  readonly authenticateCertificate: Credentials['authenticateCertificate']
  /** For a connection that lives long: whether its device may go on; see standing.ts. */
  readonly openStanding: Credentials['openStanding']
  /** Ends what devices have open when they may not go on; see revocations.ts. */
  readonly revocations: Pick<Revocations, 'onRevoked' | 'follow' | 'sweep'>
  /** Current values of a device, of those aliases that have one. @throws Fault `too_large`. */
  readonly values: Records['values']
  /** Set values that the device has not written back, the oldest first; see pending.ts. */
  pending(device: Device): Promise<readonly PendingValue[]>
  /**
   * Current values of an identity, of every resource that has one.
   * @throws Fault `not_found`, `unknown_identity`, `too_large`.
   */
  state(businessId: string, connectorId: string, identity: string): Promise<State>
  /** Sets values from the cloud, as texts, numbers or booleans by alias; see set-state.ts. */
  setState(
    businessId: string,
    connectorId: string,
    identity: string,
    values: Readonly<Record<string, unknown>>,
    origin?: { readonly ip: string },
  ): Promise<void>
  /** Notes that a device spoke; written down within `limits.presenceFlushMs`. */
  noteSeen(device: Device, ip: string): void
  /** Writes down at once who was seen. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function createProvisioning(options: ProvisioningOptions): Provisioning {
  const presence = createPresence(options)
  const connectors = createConnectors(options)
  const credentials = createCredentials(options, connectors, presence)
  const records = createRecords(options)
  const authorities = createAuthorities(options)
  const signer = createSigner({ ...options, authorities })

  async function get(businessId: string, connectorId: string, identity: string) {
    return records.get(await connectors.get(businessId, connectorId), identity)
  }

  return {
    connectors,
    authorities: ownAuthorities(authorities, connectors),
    identities: {
      async whitelist(businessId, connectorId, identity, input = {}) {
        const connector = await connectors.get(businessId, connectorId)
        await whitelist(options, credentials, connector, identity, input)
        return records.get(connector, identity)
      },
      async whitelistSigned(businessId, connectorId, identity, csrPem, input = {}) {
        const connector = await connectors.get(businessId, connectorId)
        const needs = { ...options, signer, credentials }
        return whitelistSigned(needs, connector, identity, csrPem, input)
      },
      get,
      async list(businessId, connectorId, input = {}) {
        return records.list(await connectors.get(businessId, connectorId), input)
      },
      async remove(businessId, connectorId, identity) {
        const connector = await connectors.get(businessId, connectorId)
        await remove(options, credentials, connector, identity)
      },
      async importCsv(businessId, connectorId, file, input = {}) {
        const connector = await connectors.get(businessId, connectorId)
        return openImport({ ...options, ...credentials }, connector, file, input)
      },
    },
    windows: createWindows(options, connectors),
    contents: createContents(options, connectors),
    activate: (connector, identity, origin) =>
      activate(options, presence, connector, identity, origin),
    activateWithPassword: (connector, identity, password, origin) => {
      const needs = { ...options, passwords: credentials.passwords }
      return activateWithPassword(needs, presence, connector, identity, password, origin)
    },
    authenticateToken: credentials.authenticateToken,
    authenticatePassword: credentials.authenticatePassword,
    authenticateBasic: credentials.authenticateBasic,
    authenticateCertificate: credentials.authenticateCertificate,
    openStanding: credentials.openStanding,
    revocations: credentials.revocations,
    values: records.values,
    pending: (device) => pending(options.database, device),
    async state(businessId, connectorId, identity) {
      const { state, stateCut } = await get(businessId, connectorId, identity)
      if (stateCut) throw tooLarge()
      return state
    },
    async setState(businessId, connectorId, identity, values, origin = { ip: '' }) {
      const connector = await connectors.get(businessId, connectorId)
      await setState(options, connector, identity, values, origin)
    },
    noteSeen: ({ connector, identity }, ip) => presence.seen(connector.id, identity, ip),
    flush: presence.flush,
    close: () => credentials.revocations.close().then(presence.close),
  }
}
