export { type Authorities, type Authority, createAuthorities } from './authority.ts'
export type { CsvFile, CsvImport, ImportCounts, ImportInput } from './bulk/import.ts'
export type { AuthType, Connector, NewConnector, Settings, SettingsInput } from './connector.ts'
export type { Connectors } from './connectors.ts'
export type { Content, ContentInput } from './content.ts'
export type { Contents, DeviceContents } from './contents.ts'
export type { Device } from './credentials.ts'
export type { CrlRecord } from './crls.ts'
export type { Identities } from './identities.ts'
export type {
  IdentityRecord,
  ResourceValue,
  State,
  Status,
  Tag,
  WhitelistInput,
} from './identity.ts'
export {
  type IdentityFormat,
  type IdentityType,
  refuseIdentity,
} from './identity-format.ts'
export type { Origin } from './provision.ts'
export { createProvisioning, type Provisioning } from './provisioning.ts'
export type { IdentityPage, ListInput } from './records.ts'
export { refusedDevice } from './refusal.ts'
export { checkValue, type Resource, type Resources, storedValue } from './resource.ts'
export type { OpenedRotation } from './rotation/rotations.ts'
export { openSecrets, type Secrets } from './secrets.ts'
export { openServerAuthority, type ServerAuthority } from './server-authority.ts'
export { createSigner, type Signer, type VendorChoice } from './signer.ts'
export type { Standing } from './standing.ts'
export { valueEffects } from './values.ts'
export type { ExtendInput, NextInput, OpenWindow, Windows } from './windows.ts'
