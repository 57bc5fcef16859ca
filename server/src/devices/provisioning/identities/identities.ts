import { isDuplicate } from '../../../foundation/database/index.ts'
import { limits } from '../../../foundation/kernel/index.ts'
import { toView, type Viewer } from '../../../people/groups/index.ts'
import { exportIdentities } from '../bulk/export.ts'
import { type CsvFile, type CsvImport, openImport } from '../bulk/import.ts'
import type { ImportInput, ManyChange, ManyChanged } from '../bulk/schema.ts'
import { whitelistSigned } from '../certificates/sign-identity.ts'
import type { Signer } from '../certificates/signer.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { ProvisioningOptions } from '../options.ts'
import { readTagNames } from '../store/list.ts'
import { changeMany } from './change-many.ts'
import { changeTags, type TagChange } from './change-tags.ts'
import { seenDevice } from './devices.ts'
import { type GivenCredential, provisionNew, tokenTaken } from './provision-new.ts'
import type { ListMore, Records } from './records.ts'
import { remove } from './remove.ts'
import type {
  FilterInput,
  IdentityPage,
  IdentityRecord,
  ListInput,
  NewIdentity,
  WhitelistInput,
} from './schemas.ts'
import { whitelist } from './whitelist.ts'

/**
 * Identities as operators keep them. All @throw Fault `not_found` for a foreign connector. A device
 * of a group that the viewer does not see is as one that is not there.
 */
export type Identities = {
  /** Lets an identity in, or changes one; see whitelist.ts. */
  whitelist(
    viewer: Viewer,
    connectorId: string,
    identity: string,
    input?: WhitelistInput,
  ): Promise<IdentityRecord>
  /** Lets in one that is not there yet. @throws Fault `already_exists`, `invalid_argument`. */
  add(
    businessId: string,
    connectorId: string,
    identity: string,
    input?: WhitelistInput,
  ): Promise<void>
  /**
   * Lets in one that is not there yet, with its credential: it needs no activation. `key` is the
   * token or the password; without it a token is made.
   * @returns the token or the password, which is shown by nothing else.
   * @throws Fault `already_exists`, `invalid_argument`.
   */
  addProvisioned(
    businessId: string,
    connectorId: string,
    identity: string,
    credential: GivenCredential,
    input?: WhitelistInput,
  ): Promise<string>
  /** Changes one that is there. @throws Fault `unknown_identity`, `invalid_argument`. */
  change(
    viewer: Viewer,
    connectorId: string,
    identity: string,
    input: WhitelistInput,
  ): Promise<void>
  /** Locks, unlocks, re-provisions or deletes many; see change-many.ts. */
  changeMany(viewer: Viewer, connectorId: string, input: ManyChange): Promise<ManyChanged>
  /** Adds and removes tags, whatever others do meanwhile; see change-tags.ts. */
  changeTags(
    viewer: Viewer,
    connectorId: string,
    identity: string,
    change: TagChange,
  ): Promise<void>
  /** The same with a certificate that is made for a signing request; see sign-identity.ts. */
  whitelistSigned(
    viewer: Viewer,
    connectorId: string,
    identity: string,
    input: NewIdentity,
  ): Promise<{ readonly certificate: string }>
  /** @throws Fault `unknown_identity`. */
  get(viewer: Viewer, connectorId: string, identity: string): Promise<IdentityRecord>
  /** Last seen first. @throws Fault `invalid_argument`. */
  list(
    viewer: Viewer,
    connectorId: string,
    input?: ListInput,
    more?: ListMore,
  ): Promise<IdentityPage>
  /** Counts those that a list would show. @throws Fault `invalid_argument`. */
  count(viewer: Viewer, connectorId: string, input?: FilterInput, more?: ListMore): Promise<number>
  /** The names of tags in use, in their order. */
  tagNames(businessId: string, connectorId: string): Promise<string[]>
  /** @throws Fault `unknown_identity`. */
  remove(viewer: Viewer, connectorId: string, identity: string): Promise<void>
  /**
   * Writes those that a list with these parameters shows as CSV; see bulk/export.ts.
   * @throws Fault `invalid_argument`.
   */
  exportCsv(viewer: Viewer, connectorId: string, filter: FilterInput): AsyncGenerator<string>
  /** Whitelists the identities of a CSV file; see bulk/import.ts. */
  importCsv(
    businessId: string,
    connectorId: string,
    file: CsvFile,
    input?: ImportInput,
  ): Promise<CsvImport>
}

type IdentitiesOptions = {
  readonly connectors: Connectors
  readonly credentials: Credentials
  readonly records: Records
  readonly signer: Signer
}

export function createIdentities(
  options: ProvisioningOptions,
  { connectors, credentials, records, signer }: IdentitiesOptions,
): Identities {
  const { changes } = options
  const seen = (viewer: Viewer, connectorId: string, identity: string) =>
    seenDevice(options, connectors, viewer, { connectorId, identity })
  /** The connector, and the view as devices know it. */
  async function place(viewer: Viewer, connectorId: string) {
    const view = toView(viewer)
    const connector = await connectors.get(view.businessId, connectorId)
    return { connector, view: await options.groups.widened(view) }
  }

  return {
    ...createAdding(options, { connectors, credentials }),
    whitelist: changes.publishing('devices', async (viewer, connectorId, identity, input = {}) => {
      const { connector, view } = await place(viewer, connectorId)
      await whitelist(options, credentials, connector, identity, input, { view })
      return records.get(connector, identity)
    }),
    change: changes.publishing('devices', async (viewer, connectorId, identity, input) => {
      const connector = await seen(viewer, connectorId, identity)
      await whitelist(options, credentials, connector, identity, input, { only: 'known' })
    }),
    changeMany: changes.publishing('devices', async (viewer, connectorId, input) => {
      const where = await place(viewer, connectorId)
      return changeMany({ ...options, ...credentials }, where, input)
    }),
    changeTags: changes.publishing('devices', async (viewer, connectorId, identity, change) => {
      const connector = await seen(viewer, connectorId, identity)
      await changeTags(options.database, connector, identity, change)
    }),
    whitelistSigned: changes.publishing('devices', async (viewer, connectorId, identity, input) => {
      const { connector, view } = await place(viewer, connectorId)
      const needs = { ...options, signer, credentials }
      return { certificate: await whitelistSigned(needs, connector, identity, input, view) }
    }),
    async get(viewer, connectorId, identity) {
      return records.get(await seen(viewer, connectorId, identity), identity)
    },
    async list(viewer, connectorId, input = {}, more = {}) {
      const { connector, view } = await place(viewer, connectorId)
      return records.list(connector, view, input, more)
    },
    async count(viewer, connectorId, input = {}, more = {}) {
      const { connector, view } = await place(viewer, connectorId)
      return records.count(connector, view, input, more)
    },
    async *exportCsv(viewer, connectorId, filter) {
      yield* exportIdentities(options, await place(viewer, connectorId), filter)
    },
    async tagNames(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      return readTagNames(options.database, id, limits.pageMax)
    },
    remove: changes.publishing('devices', async (viewer, connectorId, identity) => {
      const connector = await seen(viewer, connectorId, identity)
      await remove(options, credentials, connector, identity)
    }),
  }
}

/** Makes the operations that need a view of all of the business. */
function createAdding(
  options: ProvisioningOptions,
  { connectors, credentials }: Pick<IdentitiesOptions, 'connectors' | 'credentials'>,
): Pick<Identities, 'add' | 'addProvisioned' | 'importCsv'> {
  const { changes } = options
  return {
    add: changes.publishing('devices', async (businessId, connectorId, identity, input = {}) => {
      const connector = await connectors.get(businessId, connectorId)
      await whitelist(options, credentials, connector, identity, input, { only: 'new' })
    }),
    addProvisioned: changes.publishing(
      'devices',
      async (businessId, connectorId, identity, given, input = {}) => {
        const connector = await connectors.get(businessId, connectorId)
        const { passwords } = credentials
        const where = { connector, identity }
        const { key, first } = await provisionNew({ ...options, passwords }, where, given)
        const how = { only: 'new', afterwards: first } as const
        try {
          await whitelist(options, credentials, connector, identity, input, how)
        } catch (error) {
          throw isDuplicate(error) ? tokenTaken() : error
        }
        return key
      },
    ),
    async importCsv(businessId, connectorId, file, input = {}) {
      const connector = await connectors.get(businessId, connectorId)
      return openImport({ ...options, ...credentials }, connector, file, input)
    },
  }
}
