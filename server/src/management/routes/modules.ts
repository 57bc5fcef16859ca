import { Fault, requireConfirmed } from '../../kernel/index.ts'
import { checkedUrl, type Listing, type Marketplace } from '../../marketplace/index.ts'
import type { Pipelines } from '../../pipelines/index.ts'
import {
  changeListing,
  getListing,
  listListings,
  publishListing,
  removeListing,
} from '../contract/insight/listings.ts'
import {
  addModule,
  changeModule,
  checkModule,
  getModule,
  getModuleAddress,
  listModules,
  refreshModule,
  removeModule,
} from '../contract/insight/modules.ts'
import { created, noContent, ok, type Route, route } from '../route.ts'

export type ModuleRoutesOptions = Pick<Pipelines, 'modules'> & Pick<Marketplace, 'uses' | 'calls'>

/** The insight modules that a business uses. */
export function moduleRoutes(options: ModuleRoutesOptions): Route[] {
  const { modules } = options
  return [
    route(listModules, async ({ principal }) =>
      ok({ modules: await modules.list(principal.businessId) }),
    ),
    route(addModule, async ({ principal, body }) =>
      created(await modules.add(principal.businessId, { ...body, by: principal.subject })),
    ),
    route(getModule, async ({ principal: { businessId }, params }) =>
      ok(await moduleDetails(options, businessId, params.module)),
    ),
    route(changeModule, async ({ principal: { businessId, subject }, params, body }) => {
      const { url, parameters, ...rest } = body
      const { module: id } = params
      const change = url === undefined ? body : rest
      if (url !== undefined) {
        await modules.move(businessId, id, { url, parameters, by: subject })
      }
      if (Object.keys(change).length > 0) await modules.configure(businessId, id, change)
      return ok(await moduleDetails(options, businessId, id))
    }),
    route(getModuleAddress, async ({ principal: { businessId }, query }) => {
      const refused = addressRefusal(options, businessId, query.url)
      return ok({ allowed: refused === undefined, reason: refused?.detail ?? null })
    }),
    route(refreshModule, async ({ principal: { businessId, subject }, params }) => {
      await modules.refresh(businessId, params.module, subject)
      return ok(await moduleDetails(options, businessId, params.module))
    }),
    route(checkModule, async ({ principal, params }) => {
      const { problems, complaints, ...found } = await modules.check(
        principal.businessId,
        params.module,
      )
      return ok({ problems: [...problems], complaints: [...complaints], ...found })
    }),
    route(removeModule, async ({ principal: { businessId, subject }, params, query }) => {
      const { force, confirm } = query
      const forced = force === true || (await isConfirmed(modules, businessId, params, confirm))
      await modules.remove(businessId, params.module, { force: forced, by: subject })
      return noContent()
    }),
  ]
}

/** @throws Fault invalid_argument for another name. */
async function isConfirmed(
  modules: Pick<ModuleRoutesOptions['modules'], 'get'>,
  businessId: string,
  { module: id }: { readonly module: string },
  given: string | undefined,
): Promise<boolean> {
  if (given === undefined) return false
  const { name } = await modules.get(businessId, id)
  requireConfirmed({ what: 'the module', names: [name, id], given }, [])
  return true
}

/** Why a module may not be at a URL; undefined if it may. */
function addressRefusal(
  { calls }: Pick<ModuleRoutesOptions, 'calls'>,
  businessId: string,
  url: string,
): Fault | undefined {
  try {
    return calls.refusal(businessId, checkedUrl(url))
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid_argument') return error
    throw error
  }
}

const usPerMs = 1_000

/** A module with its parameters, no password among them, and its condition. */
async function moduleDetails(
  { modules, uses }: ModuleRoutesOptions,
  businessId: string,
  id: string,
) {
  const module = await modules.get(businessId, id)
  const use = await modules.use(businessId, id)
  const { complaints, restsUntilMs, ...health } = await modules.report(businessId, id)
  const { listing } = use ?? {}
  return {
    ...module,
    complaints: [...complaints],
    listing:
      listing === undefined ? null : { id: listing.id, own: listing.businessId === businessId },
    parameters: use === undefined ? [] : uses.parameters(use),
    problems: [...(listing?.problems ?? [])],
    health: { ...health, restsUntil: restsUntilMs === null ? null : restsUntilMs * usPerMs },
  }
}

/** Insight modules as their owners published them. */
export function listingRoutes({ listings }: Pick<Marketplace, 'listings'>): Route[] {
  return [
    route(listListings, async ({ principal: { businessId }, query }) => {
      const found = await listings.list(businessId, query)
      return ok({ listings: found.map((listing) => shownListing(businessId, listing)) })
    }),
    route(publishListing, async ({ principal: { businessId, subject }, body }) => {
      const { listing } = await listings.publish(businessId, { ...body, by: subject })
      return created(shownListing(businessId, listing))
    }),
    route(getListing, async ({ principal: { businessId }, params }) => {
      const { listing, definition } = await listings.get(businessId, params.listing)
      return ok({ ...shownListing(businessId, listing), definition })
    }),
    route(changeListing, async ({ principal: { businessId, subject }, params, body }) => {
      const change = { ...body, by: subject }
      const { listing } = await listings.change(businessId, params.listing, change)
      return ok(shownListing(businessId, listing))
    }),
    route(removeListing, async ({ principal, params }) => {
      await listings.remove(principal.businessId, params.listing)
      return noContent()
    }),
  ]
}

/** A listing as a business may see it: who published it is its owner's. */
function shownListing(businessId: string, listing: Listing) {
  const own = listing.businessId === businessId
  const { id, name, visibility, version, base, givenBase, definitionUrl } = listing
  const publishedBy = own && listing.publishedBy !== '' ? listing.publishedBy : null
  const { parameters, problems, publishedAt } = listing
  const source = { version, base, givenBase, definitionUrl }
  return {
    id,
    own,
    name,
    visibility,
    ...source,
    parameters: [...parameters],
    problems: [...problems],
    publishedBy,
    publishedAt,
  }
}
