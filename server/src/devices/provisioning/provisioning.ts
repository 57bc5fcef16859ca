import type { Viewer } from '../../people/groups/index.ts'
import { type ActivationApi, createActivationApi } from './activation/activate.ts'
import { createActivations } from './activation/activations.ts'
import { createAuthorities } from './certificates/authority.ts'
import type { Crls } from './certificates/crls.ts'
import {
  type ConnectorExpiry,
  createDeviceExpiries,
  createExpiries,
  type DeviceExpiries,
} from './certificates/expiries.ts'
import { type OwnAuthorities, ownAuthorities } from './certificates/own-authorities.ts'
import { createSigner } from './certificates/signer.ts'
import { type Connectors, createConnectors } from './connectors/connectors.ts'
import { createRemovals, type Removals } from './connectors/removals.ts'
import { type Campaigns, createCampaigns } from './content/campaigns.ts'
import { type Contents, createContents } from './content/contents.ts'
import { type Credentials, createCredentials } from './credentials/credentials.ts'
import type { Revocations } from './credentials/revocations.ts'
import type { Device } from './device.ts'
import { createDevices, type Devices, seenDevice } from './identities/devices.ts'
import { createExpiry, type Expiry } from './identities/expiry.ts'
import { createIdentities, type Identities } from './identities/identities.ts'
import type { Tag } from './identities/identity.ts'
import { createRecords, type Records, tooLarge } from './identities/records.ts'
import type { State } from './identities/schemas.ts'
import { createSearchTerms, type SearchTerms } from './identities/search-terms.ts'
import { createWindows, type Windows } from './identities/windows.ts'
import type { ProvisioningOptions } from './options.ts'
import { createOrderReprovision, type OrderReprovision } from './rotation/order-reprovision.ts'
import { createRotations, type Rotations } from './rotation/rotations.ts'
import { createSightings } from './sightings.ts'
import { readContentBytes } from './store/contents.ts'
import { readPopulations } from './store/population.ts'
import { readTags } from './store/tags.ts'
import { type PendingValue, pending, setState } from './values/set-state.ts'

/** Connectors, their resources and identities, credentials, current values. */
export type Provisioning = ActivationApi & {
  readonly connectors: Connectors
  /** The built-in certificate authorities of connectors. */
  readonly authorities: OwnAuthorities
  /** Deletes connectors; see removals.ts. */
  readonly removals: Removals
  readonly identities: Identities
  /** The devices of all connectors, in groups. */
  readonly devices: Devices
  readonly windows: Windows
  /** Logs windows that closed; see expiry.ts. */
  readonly expiry: Pick<Expiry, 'startPolling'>
  /** Puts devices into the index of their letters; see search-terms.ts. */
  readonly searchTerms: Omit<SearchTerms, 'close'>
  /** Orders devices to activate again; see order-reprovision.ts. */
  readonly orderReprovision: OrderReprovision
  /** The contents that devices may download; see contents.ts. */
  readonly contents: Contents
  /** Which devices shall get which contents, and have them; see campaigns.ts. */
  readonly campaigns: Campaigns
  /** Second credentials beside those that are to go; see rotation/step.ts. */
  readonly rotations: Rotations
  readonly authenticateToken: Credentials['authenticateToken']
  readonly authenticatePassword: Credentials['authenticatePassword']
  readonly authenticateBasic: Credentials['authenticateBasic']
  readonly authenticateCertificate: Credentials['authenticateCertificate']
  /** Checks a long-lived connection again; see connection-check.ts. */
  readonly openConnectionCheck: Credentials['openConnectionCheck']
  /** Checks a connection against its connector's rules; see connection-check.ts. */
  readonly checkConnectorRules: Credentials['checkConnectorRules']
  /** Ends what devices have open when they may not go on; see revocations.ts. */
  readonly revocations: Pick<Revocations, 'onRevoked' | 'startPolling' | 'sweep'>
  /** The certificates that their authorities have revoked; see crls.ts. */
  readonly crls: Omit<Crls, 'find' | 'forget'>
  /** The expiries of a business's connectors, the next one first; see expiries.ts. */
  expiries(businessId: string): Promise<readonly ConnectorExpiry[]>
  /** Certificates of a connector's devices, the next to end first; see expiries.ts. */
  readonly deviceExpiries: DeviceExpiries
  /** Current values of a device, of those aliases that have one. @throws Fault `too_large`. */
  readonly values: Records['values']
  /** Gives values that a clock which ran ahead has stamped the time of now. */
  readonly mendStamps: Records['mendStamps']
  /** Set values that the device has not written back, the oldest first; see pending.ts. */
  pending(device: Device): Promise<readonly PendingValue[]>
  /**
   * Current values of an identity, of every resource that has one.
   * @throws Fault `not_found`, `unknown_identity`, `too_large`.
   */
  state(viewer: Viewer, connectorId: string, identity: string): Promise<State>
  /** Sets values from the cloud, as texts, numbers or booleans by alias; see set-state.ts. */
  setState(
    viewer: Viewer,
    connectorId: string,
    identity: string,
    values: Readonly<Record<string, unknown>>,
    connection?: { readonly ip: string },
  ): Promise<void>
  /** The tags of identities, by identity, for their events. */
  readTags(
    connectorId: string,
    identities: readonly string[],
  ): Promise<ReadonlyMap<string, readonly Tag[]>>
  /** Notes that a device spoke; written down within `limits.presenceFlushMs`. */
  noteSeen(device: Device, ip: string): void
  /** Writes down at once who was seen. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function createProvisioning(options: ProvisioningOptions): Provisioning {
  const { changes } = options
  options.quotas?.addCount('devices', readPopulations)
  options.quotas?.addCount('storage', readContentBytes)
  const sightings = createSightings(options)
  const connectors: Connectors = createConnectors(options, () => credentials.revocations)
  const activations = createActivations(options, sightings)
  const credentials = createCredentials(options, connectors, sightings, activations)
  const records = createRecords(options)
  const authorities = createAuthorities(options)
  const signer = createSigner({ ...options, authorities })
  const { passwords, revocations } = credentials
  const expiry = createExpiry(options)
  const searchTerms = createSearchTerms(options)
  const removals = createRemovals({ ...options, connectors, revocations })
  const rotations = createRotations({ ...options, passwords, revocations, signer }, connectors)

  return {
    connectors,
    authorities: ownAuthorities(authorities, connectors, changes),
    identities: createIdentities(options, { connectors, credentials, records, signer }),
    devices: createDevices(options, connectors),
    removals,
    windows: createWindows(options, connectors),
    expiry,
    searchTerms,
    orderReprovision: createOrderReprovision(options, connectors, credentials),
    contents: createContents(options, connectors),
    campaigns: createCampaigns(options, connectors),
    rotations,
    ...createActivationApi({ ...options, passwords }, activations, rotations),
    authenticateToken: credentials.authenticateToken,
    authenticatePassword: credentials.authenticatePassword,
    authenticateBasic: credentials.authenticateBasic,
    authenticateCertificate: credentials.authenticateCertificate,
    openConnectionCheck: credentials.openConnectionCheck,
    checkConnectorRules: credentials.checkConnectorRules,
    revocations,
    crls: credentials.crls,
    expiries: createExpiries(options, connectors),
    deviceExpiries: createDeviceExpiries(options, connectors),
    values: records.values,
    mendStamps: records.mendStamps,
    pending: (device) => pending(options.database, device),
    async state(viewer, connectorId, identity) {
      const connector = await seenDevice(options, connectors, viewer, { connectorId, identity })
      const { state, stateCut } = await records.get(connector, identity)
      if (stateCut) throw tooLarge()
      return state
    },
    async setState(viewer, connectorId, identity, values, connection = { ip: '' }) {
      const connector = await seenDevice(options, connectors, viewer, { connectorId, identity })
      await setState(options, connector, identity, values, connection)
      changes.publish(options.database, connector.businessId, 'devices')
    },
    readTags: (connectorId, identities) => readTags(options.database, connectorId, identities),
    noteSeen: ({ connector, identity }, ip) => sightings.seen(connector, identity, ip),
    flush: sightings.flush,
    async close() {
      await activations.close()
      await removals.close()
      await rotations.close()
      await expiry.close()
      await searchTerms.close()
      await credentials.revocations.close()
      await sightings.close()
    },
  }
}
