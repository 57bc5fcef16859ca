export {
  cellText,
  csvLine,
  readRows as readCsvRows,
  refuseSeparator,
  spreadsheetTrace,
  textCell,
} from './bulk/csv.ts'
export type { CsvFile, CsvImport } from './bulk/import.ts'
export {
  createImportSchema,
  createManyChangeSchema,
  type ImportInput,
  importCountsSchema,
  manyChangedSchema,
} from './bulk/schema.ts'
export { type Authorities, type Authority, createAuthorities } from './certificates/authority.ts'
export { type CrlRecord, crlSchema } from './certificates/crls.ts'
export { connectorExpirySchema, deviceCertificatesSchema } from './certificates/expiries.ts'
export {
  exportServerAuthority,
  openServerAuthority,
  replaceServerAuthority,
  type ServerAuthority,
} from './certificates/listeners/server-authority.ts'
export { isKeyLost } from './certificates/listeners/server-pair.ts'
export { authoritySchema } from './certificates/own-authorities.ts'
export { createSigner, type Signer, type VendorChoice } from './certificates/signer.ts'
export {
  type DeviceListeners,
  deviceAddressesSchema,
  readDeviceAddresses,
} from './connectors/addresses.ts'
export {
  type Connector,
  connectorSchema,
  connectorWireNames,
  createConnectorChangeSchema,
  createNewConnectorSchema,
  formatFqdn,
  type NewConnector,
  resourceChange,
  resourcesSchema,
  type Settings,
  type SettingsInput,
  shownConnector,
} from './connectors/connector.ts'
export type { Connectors } from './connectors/connectors.ts'
export {
  createDefinitionSchema,
  parseConnectorFile,
  parseDefinition,
} from './connectors/definition.ts'
export {
  type Campaign,
  campaignSchema,
  campaignTagSchema,
  type DeviceContent,
  deviceContentSchema,
} from './content/campaign.ts'
export { type Content, type ContentInput, contentSchema } from './content/content.ts'
export type { Contents, DeviceContents } from './content/contents.ts'
export type { ConnectionCheck } from './credentials/connection-check.ts'
export { openSecrets, type Secrets } from './credentials/secrets.ts'
export type { ConnectionInfo, Device } from './device.ts'
export { refusedDevice } from './device.ts'
export {
  type DeviceFilter,
  type DeviceRecord,
  type Devices,
  deviceId,
  deviceOfId,
} from './identities/devices.ts'
export type { Identities } from './identities/identities.ts'
export type { Status, Tag } from './identities/identity.ts'
export {
  type IdentityFormat,
  type IdentityType,
  refuseIdentity,
} from './identities/identity-format.ts'
export type { GivenCredential } from './identities/provision-new.ts'
export type { ListMore } from './identities/records.ts'
export {
  authTypeSchema,
  createExpireSchema,
  createFilterSchema,
  createIdentityChangeSchema,
  createIdentityFilterSchema,
  createListSchema,
  createNewIdentitySchema,
  createTagChangeSchema,
  createWindowExtensionSchema,
  createWindowListSchema,
  type ExtendInput,
  extendedSchema,
  type FilterInput,
  type IdentityPage,
  type IdentityRecord,
  identityPageSchema,
  identitySchema,
  isComplete,
  type ListInput,
  type NextInput,
  type ResourceValue,
  type State,
  stateSchema,
  tagSchema,
  type WhitelistInput,
  wantedValuesSchema,
  windowPageSchema,
} from './identities/schemas.ts'
export type { Windows } from './identities/windows.ts'
export { provisioningLimits } from './limits.ts'
export type { ProvisioningOptions } from './options.ts'
export { createProvisioning, type Provisioning } from './provisioning.ts'
export {
  createRotationSchema,
  type OpenedRotation,
  openedRotationSchema,
  rotationSchema,
} from './rotation/schema.ts'
export { connectorDependants, hasRemovals, provisioningDependants } from './store/business.ts'
export {
  checkValue,
  type Resource,
  type Resources,
  resourcesInputSchema,
  storedValue,
} from './values/resource.ts'
export { valueEffects } from './values/values.ts'
