export {
  type CallContent,
  CallTimedOut,
  checkedUrl,
  type LimitedCall,
  ModuleAway,
  type ModuleCalls,
} from './calls.ts'
export { type DefinitionHost, isDefinition } from './definition/read.ts'
export type { ModuleEndpoint, ModuleEndpoints } from './endpoints.ts'
export { marketplaceLimits } from './limits.ts'
export type { Listings } from './listings.ts'
export {
  createMarketplace,
  extensionPrefixes,
  type Marketplace,
  type MarketplaceOptions,
} from './marketplace.ts'
export type { ParameterValues, ShownParameter } from './parameters.ts'
export {
  createListingChangeSchema,
  createNewListingSchema,
  listingSchema,
  moduleAddressSchema,
  parameterFields,
  problemSchema,
  urlField,
  wholeListingSchema,
} from './schema.ts'
export { listingRows, listingUses, marketDependants } from './store.ts'
export type { Listing, Use } from './types.ts'
export type { PreparedUse, UseChange } from './uses.ts'
