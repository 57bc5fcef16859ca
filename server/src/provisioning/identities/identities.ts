import { type CsvFile, type CsvImport, type ImportInput, openImport } from '../bulk/import.ts'
import { whitelistSigned } from '../certificates/sign-identity.ts'
import type { Signer } from '../certificates/signer.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { ProvisioningOptions } from '../options.ts'
import { changeTags, type TagChange } from './change-tags.ts'
import type { IdentityRecord } from './identity.ts'
import type { WhitelistInput } from './identity-input.ts'
import type { IdentityPage, ListInput, Records } from './records.ts'
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
  }
}
