import { isDuplicate } from '../../database/index.ts'
import { limits } from '../../kernel/index.ts'
import { type CsvFile, type CsvImport, type ImportInput, openImport } from '../bulk/import.ts'
import { whitelistSigned } from '../certificates/sign-identity.ts'
import type { Signer } from '../certificates/signer.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { ProvisioningOptions } from '../options.ts'
import { readTagNames } from '../store/list.ts'
import { changeTags, type TagChange } from './change-tags.ts'
import type { IdentityRecord } from './identity.ts'
import type { WhitelistInput } from './identity-input.ts'
import { type GivenCredential, provisionNew, tokenTaken } from './provision-new.ts'
import type { IdentityPage, ListInput, ListMore, Records } from './records.ts'
import { remove } from './remove.ts'
import { whitelist } from './whitelist.ts'

/** Identities as operators keep them. All @throw Fault `not_found` for a foreign connector. */
export type Identities = {
  /** Lets an identity in, or changes one; see whitelist.ts. */
  whitelist(
    businessId: string,
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
    businessId: string,
    connectorId: string,
    identity: string,
    input: WhitelistInput,
  ): Promise<void>
  /** Adds and removes tags, whatever others do meanwhile; see change-tags.ts. */
  changeTags(
    businessId: string,
    connectorId: string,
    identity: string,
    change: TagChange,
  ): Promise<void>
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
  list(
    businessId: string,
    connectorId: string,
    input?: ListInput,
    more?: ListMore,
  ): Promise<IdentityPage>
  /** Counts those that a list would show. @throws Fault `invalid_argument`. */
  count(
    businessId: string,
    connectorId: string,
    input?: ListInput,
    more?: ListMore,
  ): Promise<number>
  /** The names of tags in use, in their order. */
  tagNames(businessId: string, connectorId: string): Promise<string[]>
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
  return {
    async whitelist(businessId, connectorId, identity, input = {}) {
      const connector = await connectors.get(businessId, connectorId)
      await whitelist(options, credentials, connector, identity, input)
      return records.get(connector, identity)
    },
    async add(businessId, connectorId, identity, input = {}) {
      const connector = await connectors.get(businessId, connectorId)
      await whitelist(options, credentials, connector, identity, input, { only: 'new' })
    },
    async addProvisioned(businessId, connectorId, identity, given, input = {}) {
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
    async change(businessId, connectorId, identity, input) {
      const connector = await connectors.get(businessId, connectorId)
      await whitelist(options, credentials, connector, identity, input, { only: 'known' })
    },
    async changeTags(businessId, connectorId, identity, change) {
      const connector = await connectors.get(businessId, connectorId)
      await changeTags(options.database, connector, identity, change)
    },
    async whitelistSigned(businessId, connectorId, identity, csrPem, input = {}) {
      const connector = await connectors.get(businessId, connectorId)
      const needs = { ...options, signer, credentials }
      return whitelistSigned(needs, connector, identity, csrPem, input)
    },
    async get(businessId, connectorId, identity) {
      return records.get(await connectors.get(businessId, connectorId), identity)
    },
    async list(businessId, connectorId, input = {}, more = {}) {
      return records.list(await connectors.get(businessId, connectorId), input, more)
    },
    async count(businessId, connectorId, input = {}, more = {}) {
      return records.count(await connectors.get(businessId, connectorId), input, more)
    },
    async tagNames(businessId, connectorId) {
      const { id } = await connectors.get(businessId, connectorId)
      return readTagNames(options.database, id, limits.pageMax)
    },
    async remove(businessId, connectorId, identity) {
      const connector = await connectors.get(businessId, connectorId)
      await remove(options, credentials, connector, identity)
    },
    async importCsv(businessId, connectorId, file, input = {}) {
      const connector = await connectors.get(businessId, connectorId)
      return openImport({ ...options, ...credentials }, connector, file, input)
    },
  }
}
