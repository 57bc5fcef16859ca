import { createModuleCalls, type ModuleCalls, type ModuleCallsOptions } from './calls.ts'
import { type Listings, type ListingsOptions, MarketplaceListings } from './listings.ts'
import { MarketplaceUses, type Uses, type UsesOptions } from './uses.ts'

/** Insight modules: where they are served, who uses them, and how they are called. */
export type Marketplace = {
  /** Modules as their owners published them. */
  readonly listings: Listings
  /** The modules of each business. */
  readonly uses: Uses
  /** Calls to the endpoints of a use. */
  readonly calls: ModuleCalls
}

export type MarketplaceOptions = ModuleCallsOptions & Omit<ListingsOptions, 'calls'> & UsesOptions

export function createMarketplace(options: MarketplaceOptions): Marketplace {
  const calls = createModuleCalls(options)
  return {
    listings: new MarketplaceListings({ ...options, calls }),
    uses: new MarketplaceUses(options),
    calls,
  }
}

/** The prefixes of extension fields in definitions, of the names of vendors that are answered. */
export function extensionPrefixes(
  vendors: readonly { readonly openapiPrefix: string }[],
): readonly string[] {
  return vendors.map(({ openapiPrefix }) => openapiPrefix)
}
