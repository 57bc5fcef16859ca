import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  decodeText,
  Fault,
  limits,
  newId,
  omitUndefined,
  type Random,
  Semaphore,
} from '../../foundation/kernel/index.ts'
import { outboundKind } from '../../foundation/outbound/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import { checkedBase, checkedUrl, type ModuleCalls } from './calls.ts'
import { readDefinition, refusal } from './definition/read.ts'
import type { ListingChange, NewListing, ShownListing, WholeListing } from './schema.ts'
import {
  countUses,
  deleteListing,
  insertListing,
  type ListingWithDefinition,
  readListing,
  readListings,
  updateListing,
} from './store.ts'
import type { Listing } from './types.ts'

/** Listings of insight modules that one business publishes. */
const moduleListingsMax = 100

export type Listings = {
  /** @throws Fault invalid_argument, definition_refused, module_failed, address_refused */
  publish(businessId: string, given: NewListing): Promise<ShownListing>
  /** The listings of the business and those that are public, oldest first. */
  list(businessId: string, page: ListingPage): Promise<ShownListing[]>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<WholeListing>
  /**
   * Changes a listing; its uses, and the links to them, go on at the place where it is then.
   * @throws Fault not_found, and as `publish`
   */
  change(businessId: string, id: string, change: ListingChange): Promise<ShownListing>
  /** @throws Fault not_found; in_use, which names no other business */
  remove(businessId: string, id: string): Promise<void>
}

export type ListingPage = {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export type ListingsOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly calls: ModuleCalls
  /** The prefixes of extension fields in definitions, such as `x-vendor-`. */
  readonly prefixes: readonly string[]
  readonly clock: Clock
  readonly random: Random
}

/** A definition that was sent, or read at its URL. */
type Source = { readonly text: string; readonly definitionUrl: string | null }

export class MarketplaceListings implements Listings {
  readonly #options: ListingsOptions
  readonly #fetches: Semaphore

  constructor(options: ListingsOptions) {
    this.#options = options
    this.#fetches = new Semaphore({
      max: limits.moduleRequestsOfBusinessMax,
      waitingMax: limits.moduleRequestsWaitingMax,
      refusal: () => new Fault('overloaded', 'Too many definitions are being read. Try again.'),
    })
  }

  async publish(businessId: string, given: NewListing): Promise<ShownListing> {
    const { clock, random, database } = this.#options
    const source = await this.#resolveSource(businessId, given)
    if (source === undefined) {
      throw new Fault('invalid_argument', 'A definition, or the URL of one, must be given.')
    }
    const givenBase = given.base === undefined ? null : checkedBase(given.base)
    const { title, ...place } = this.#read(source, givenBase, given.tolerant)
    const listing: Listing = {
      id: newId(random),
      businessId,
      name: checkedName(given.name ?? (title || new URL(place.base).host)),
      visibility: given.visibility ?? 'private',
      implied: false,
      definitionUrl: source.definitionUrl,
      givenBase,
      publishedBy: given.by,
      publishedAt: clock.nowUs(),
      ...place,
    }
    const published = { listing: this.#assertPublishable(listing), definition: source.text }
    const most = moduleListingsMax
    const added = await database.transaction((held) => insertListing(held, published, most))
    if (added) {
      this.#publish(businessId)
      return shownTo(businessId, listing)
    }
    throw new Fault('invalid_argument', `A business has at most ${most} listings.`)
  }

  async list(businessId: string, { limit, offset = 0 }: ListingPage): Promise<ShownListing[]> {
    const page = { limit: Math.min(limit ?? limits.pageMax, limits.pageMax), offset }
    const found = await readListings(this.#options.database, businessId, page)
    return found.map((listing) => shownTo(businessId, listing))
  }

  async get(businessId: string, id: string): Promise<WholeListing> {
    const { listing, definition } = await this.#find(businessId, id)
    return { ...shownTo(businessId, listing), definition }
  }

  async #find(businessId: string, id: string): Promise<ListingWithDefinition> {
    const found = await readListing(this.#options.database, businessId, id)
    if (found === undefined) throw noSuchListing()
    return found
  }

  async change(businessId: string, id: string, change: ListingChange): Promise<ShownListing> {
    const { clock, database } = this.#options
    const { listing: before, definition: text } = await this.#find(businessId, id)
    if (before.businessId !== businessId) throw noSuchListing()
    const source = await this.#resolveSource(businessId, change)
    const { definitionUrl } = before
    const given = omitUndefined({ name: change.name, visibility: change.visibility })
    const listing: Listing = {
      ...before,
      ...given,
      ...this.#moved(before, source ?? { text, definitionUrl }, change),
      implied: false,
      definitionUrl: source?.definitionUrl ?? definitionUrl,
      publishedBy: change.by,
      publishedAt: clock.nowUs(),
    }
    checkedName(listing.name)
    const changed = { listing: this.#assertPublishable(listing), definition: source?.text ?? text }
    if (!(await database.transaction((held) => updateListing(held, changed)))) throw noSuchListing()
    this.#publish(businessId)
    return shownTo(businessId, listing)
  }

  async remove(businessId: string, id: string): Promise<void> {
    const { database } = this.#options
    const { own } = await this.get(businessId, id)
    if (!own) throw noSuchListing()
    if (await database.transaction((held) => deleteListing(held, businessId, id))) {
      this.#publish(businessId)
      return
    }
    const uses = await countUses(database, businessId, id)
    const ofOthers = uses.others === 0 ? '' : `, and ${uses.others} of other businesses`
    throw new Fault('in_use', `${uses.own} modules of the business use the listing${ofOthers}.`)
  }

  #publish(businessId: string): void {
    const { changes, database } = this.#options
    changes.publish(database, businessId, 'modules')
  }

  /** Returns where a listing is after a change, read again if its file or its base changed. */
  #moved(before: Listing, source: Source, change: ListingChange): Partial<Listing> {
    const { base, definition, definitionUrl, tolerant } = change
    const isRead = definition !== undefined || definitionUrl !== undefined
    if (!isRead && base === undefined) return {}
    const givenBase = base === undefined ? before.givenBase : base && checkedBase(base)
    if (source.text === '') {
      // It has no file: only its base can change.
      return givenBase === null ? {} : { givenBase, base: givenBase }
    }
    const accepted = tolerant ?? (!isRead && before.problems.length > 0)
    const { title: _title, ...place } = this.#read(source, givenBase, accepted)
    return { givenBase, ...place }
  }

  /**
   * A listing that breaks the rules stays private, and a module must be where it may be called.
   * @throws Fault definition_refused, address_refused
   */
  #assertPublishable(listing: Listing): Listing {
    if (listing.visibility === 'public' && listing.problems.length > 0) {
      throw refusal(listing.problems)
    }
    const refused = this.#options.calls.refusal(listing.businessId, listing.base)
    if (refused !== undefined) throw refused
    return listing
  }

  #read({ text, definitionUrl }: Source, base: string | null, tolerant = false) {
    const { prefixes } = this.#options
    return readDefinition({ text, base, definitionUrl, prefixes, tolerant })
  }

  /** @throws Fault invalid_argument, definition_refused, module_failed, address_refused */
  async #resolveSource(
    businessId: string,
    { definition, definitionUrl }: Pick<NewListing, 'definition' | 'definitionUrl'>,
  ): Promise<Source | undefined> {
    if (definition !== undefined && definitionUrl !== undefined) {
      throw new Fault('invalid_argument', 'Either a definition or the URL of one can be given.')
    }
    if (definition !== undefined) return { text: definition, definitionUrl: null }
    if (definitionUrl === undefined) return undefined
    const url = checkedUrl(definitionUrl, 'The URL of a definition')
    return { text: await this.#fetch(businessId, url), definitionUrl: url }
  }

  async #fetch(businessId: string, url: string): Promise<string> {
    const { calls } = this.#options
    const endpoint = { method: 'GET', url, headers: {} } as const
    const shares = [{ key: businessId, max: limits.moduleRequestsOfUrlMax }]
    const answer = await calls
      .call(businessId, endpoint, { body: undefined }, (call) => this.#fetches.run(shares, call))
      .catch((error: unknown) => {
        if (outboundKind((error as Error).cause) !== 'too_large') throw error
        throw refusal([{ pointer: '', detail: 'it is too large' }])
      })
    if (answer.status < 200 || answer.status > 299) {
      throw new Fault('module_failed', `The URL of the definition answered ${answer.status}.`)
    }
    const text = decodeText(answer.body)
    if (text === undefined) throw refusal([{ pointer: '', detail: 'it is not UTF-8' }])
    return text
  }
}

/** The publisher of a listing is shown to its own business alone. */
function shownTo(businessId: string, listing: Listing): ShownListing {
  const own = listing.businessId === businessId
  const publishedBy = own && listing.publishedBy !== '' ? listing.publishedBy : null
  return { ...listing, own, publishedBy }
}

function noSuchListing(): Fault {
  return new Fault('not_found', 'There is no such listing.')
}

function checkedName(name: string): string {
  const { nameCharsMax } = limits
  if (name !== '' && name.length <= nameCharsMax && !name.includes('\0')) return name
  throw new Fault('invalid_argument', `A name has 1 to ${nameCharsMax} characters.`)
}
