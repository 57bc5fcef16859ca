import type { Database, Transaction } from '../../foundation/database/index.ts'
import { type Clock, Fault, limits, newId, type Random } from '../../foundation/kernel/index.ts'
import { checkedBase, ModuleAway } from './calls.ts'
import { type DefinitionHost, readDefinition, readTolerantly } from './definition/read.ts'
import { type ModuleEndpoints, makeEndpoints } from './endpoints.ts'
import {
  changedValues,
  type OpenedValues,
  openValues,
  type ParameterSecrets,
  type ParameterValues,
  type ShownParameter,
  sealValues,
  shownParameters,
} from './parameters.ts'
import {
  deleteImplied,
  deleteUse,
  insertListing,
  insertUse,
  readListing,
  readUses,
  readUsesById,
  updateListing,
  updateUse,
} from './store.ts'
import type { Listing, Use } from './types.ts'

/** Values of parameters that a person gave: null removes one. */
type GivenValues = Readonly<Record<string, unknown>>

/**
 * A module that is added by its base, with the definition that it has at `/interface`; or by the
 * URL of its definition, with a base if the host of the file is wrong.
 */
export type ModuleAtUrl = {
  readonly name: string
  readonly parameters?: GivenValues | undefined
  /** The use that is moved there: its values stay, but for secrets of another place. */
  readonly moved?: Use | undefined
  /** A user or an API token. */
  readonly by: string
} & ModulePlaceGiven

type ModulePlaceGiven =
  | {
      readonly base: string
      readonly definition: string | undefined
      readonly definitionUrl?: undefined
    }
  | {
      readonly base?: string | undefined
      readonly definition: string
      readonly definitionUrl: string
      readonly host: DefinitionHost
    }

/** A change of a use; fields that are left out stay. */
export type UseChange = {
  readonly name?: string | undefined
  readonly parameters?: GivenValues | undefined
  /** True if simulations may call it. */
  readonly simulationSafe?: boolean | undefined
}

/** A use that is not stored yet; with a definition if its listing is not, either. */
export type PreparedUse = { readonly use: Use; readonly definition: string | undefined }

export type Uses = {
  /**
   * Returns a module at a URL as a use with a listing of its own.
   * @throws Fault invalid_argument
   */
  prepare(businessId: string, module: ModuleAtUrl): PreparedUse
  /** Returns a use of a listing. @throws Fault not_found, invalid_argument */
  prepareListed(
    businessId: string,
    listingId: string,
    given: { readonly name?: string | undefined; readonly parameters?: GivenValues | undefined },
  ): Promise<PreparedUse>
  /** @throws Fault invalid_argument: too many */
  add(transaction: Transaction, prepared: PreparedUse): Promise<void>
  /**
   * Returns a use at another place. Its values stay, also if more are required there; who moves it
   * to another origin gives its secrets again. @throws Fault invalid_argument
   */
  moved(use: Use, listing: Listing, given: GivenValues | undefined): Use
  /** Replaces the place of a use's listing, which its owner may. @throws Fault forbidden */
  move(transaction: Transaction, use: Use, to: PreparedUse): Promise<void>
  /** @throws Fault not_found, invalid_argument */
  configure(transaction: Transaction, use: Use, given: UseChange): Promise<Use>
  /** In the order in which they were added. */
  list(businessId: string): Promise<Use[]>
  /** The uses of these ids that are there. */
  ofIds(businessId: string, ids: readonly string[]): Promise<Use[]>
  /** @throws Fault not_found */
  remove(transaction: Transaction, businessId: string, id: string): Promise<void>
  /**
   * The addresses of the operations, with credentials.
   * @throws Fault secret_unreadable, module_failed: its secrets are for another place
   */
  endpoints(use: Use): ModuleEndpoints
  /** The values of its parameters, for the module itself. @throws Fault secret_unreadable */
  values(use: Use): ParameterValues
  /** @throws Fault secret_unreadable */
  parameters(use: Use): ShownParameter[]
}

export type UsesOptions = {
  readonly database: Database
  readonly secrets: ParameterSecrets
  /** The prefixes of extension fields in definitions, such as `x-vendor-`. */
  readonly prefixes: readonly string[]
  readonly clock: Clock
  readonly random: Random
}

export class MarketplaceUses implements Uses {
  readonly #options: UsesOptions

  constructor(options: UsesOptions) {
    this.#options = options
  }

  prepare(businessId: string, module: ModuleAtUrl) {
    const { name, definition, definitionUrl = null, base, ...given } = module
    const { clock, random, prefixes } = this.#options
    const listing: Listing = {
      id: newId(random),
      businessId,
      name,
      visibility: 'private',
      implied: true,
      definitionUrl,
      givenBase: base === undefined ? null : checkedBase(base),
      publishedBy: given.by,
      publishedAt: clock.nowUs(),
      ...readPlace(module, prefixes),
    }
    const { moved, parameters } = given
    const use =
      moved === undefined
        ? this.#newUse(businessId, listing, name, parameters ?? {})
        : this.moved(moved, listing, parameters)
    return { use, definition: definition ?? '' }
  }

  async prepareListed(
    businessId: string,
    listingId: string,
    { name, parameters }: { name?: string | undefined; parameters?: GivenValues | undefined },
  ) {
    const found = await readListing(this.#options.database, businessId, listingId)
    if (found === undefined) throw new Fault('not_found', 'There is no such listing.')
    const { listing } = found
    const use = this.#newUse(businessId, listing, name ?? listing.name, parameters ?? {})
    return { use, definition: undefined }
  }

  async add(transaction: Transaction, { use, definition }: PreparedUse): Promise<void> {
    const { listing } = use
    const { modulesMax } = limits
    const added =
      (definition === undefined ||
        (await insertListing(transaction, { listing, definition }, modulesMax))) &&
      (await insertUse(transaction, use, modulesMax))
    if (added) return
    throw new Fault('invalid_argument', `A business has at most ${modulesMax} modules.`)
  }

  moved(use: Use, listing: Listing, given: GivenValues | undefined): Use {
    const { secrets } = this.#options
    const opened = openValues(secrets, use, listing)
    refuseWithheld(opened, given ?? {})
    const { values } = opened
    const now = given === undefined ? values : changedValues(listing.parameters, values, given)
    return { ...use, listing, sealed: sealValues(secrets, { ...use, listing }, now) }
  }

  async move(transaction: Transaction, { businessId, listing }: Use, to: PreparedUse) {
    const { id, name, visibility, implied } = listing
    const moved = { ...to.use.listing, id, name, visibility, implied }
    const { use, definition = '' } = to
    const isOwner = listing.businessId === businessId
    if (isOwner && (await updateListing(transaction, { listing: moved, definition }))) {
      await updateUse(transaction, use)
      return
    }
    throw new Fault('forbidden', 'Only the business that published the listing can move it.')
  }

  async configure(
    transaction: Transaction,
    use: Use,
    { name = use.name, simulationSafe = use.simulationSafe, parameters }: UseChange,
  ): Promise<Use> {
    const given = parameters === undefined ? use : this.moved(use, use.listing, parameters)
    const changed = { ...given, name, simulationSafe }
    if (await updateUse(transaction, changed)) return changed
    throw new Fault('not_found', 'There is no such module.')
  }

  list(businessId: string): Promise<Use[]> {
    return readUses(this.#options.database, businessId)
  }

  async ofIds(businessId: string, ids: readonly string[]): Promise<Use[]> {
    return ids.length === 0 ? [] : readUsesById(this.#options.database, businessId, ids)
  }

  async remove(transaction: Transaction, businessId: string, id: string): Promise<void> {
    const listingId = await deleteUse(transaction, businessId, id)
    if (listingId === undefined) throw new Fault('not_found', 'There is no such module.')
    await deleteImplied(transaction, listingId)
  }

  endpoints(use: Use): ModuleEndpoints {
    const { values, withheld, origin } = openValues(this.#options.secrets, use)
    if (withheld.length === 0) return makeEndpoints(use, values)
    const words = `${withheld.join(', ')} of the module "${use.name}" was given for ${origin}`
    throw new ModuleAway(`${words}, and the module is at ${use.listing.base}: give it again.`)
  }

  values(use: Use): ParameterValues {
    return openValues(this.#options.secrets, use).values
  }

  parameters(use: Use): ShownParameter[] {
    return shownParameters(use.listing.parameters, this.values(use))
  }

  #newUse(businessId: string, listing: Listing, name: string, given: GivenValues): Use {
    const { clock, random, secrets } = this.#options
    const id = newId(random)
    const values = changedValues(listing.parameters, {}, given)
    const sealed = sealValues(secrets, { businessId, id, listing }, values)
    const createdAt = clock.nowUs()
    const own = { id, businessId, name, createdAt }
    return { ...own, listing, sealed, secretsBase: null, simulationSafe: false }
  }
}

/** @throws Fault invalid_argument: a secret was given for another place, and is not given again */
function refuseWithheld({ withheld, origin }: OpenedValues, given: GivenValues): void {
  const missing = withheld.filter((name) => !Object.hasOwn(given, name))
  if (missing.length === 0) return
  const words = missing.map((name) => `/parameters/${name}: it was given for ${origin}`)
  throw new Fault('invalid_argument', `${words.join('; ')}. Give it again, or null.`)
}

/** The place of a module, and its definition as far as it can be used. */
function readPlace(module: ModuleAtUrl, prefixes: readonly string[]) {
  if (module.definitionUrl === undefined) {
    return readTolerantly(module.base, module.definition, prefixes)
  }
  const { definition: text, definitionUrl, base = null, host } = module
  const given = { text, definitionUrl, base, host, prefixes, tolerant: true }
  const { title: _title, ...place } = readDefinition(given)
  return place
}
