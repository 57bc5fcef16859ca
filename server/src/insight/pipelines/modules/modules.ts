import { Fault, omitUndefined } from '../../../foundation/kernel/index.ts'
import type { Changes } from '../../../log/changes/index.ts'
import type {
  DefinitionHost,
  Listing,
  Marketplace,
  Use,
  UseChange,
} from '../../marketplace/index.ts'
import { builtinId, builtinModule } from '../builtin/registry.ts'
import type { Runs } from '../runs/runs.ts'
import { setupJob } from '../runs/setup-job.ts'
import { dropFunctions } from '../store/functions.ts'
import { addModuleAnswer, dropModuleAnswer, type ModuleAnswer } from '../store.ts'
import type { ExternalModule } from '../types.ts'
import { checkModule } from './check.ts'
import type { ModuleClient } from './client.ts'
import type { DescribedFunctions } from './descriptions.ts'
import { type ExternalModules, externalModule } from './external.ts'
import type { FunctionLists } from './function-lists.ts'
import type { Health } from './health.ts'
import { askInfo, checkedName, introduce } from './introduce.ts'
import { type ReleaseOptions, type RemoveOptions, releaseLinks } from './release-links.ts'
import type {
  Module,
  ModuleChange,
  ModuleCheck,
  ModuleDetails,
  ModuleHealth,
  ModuleReport,
  NewModule,
} from './schema.ts'

export type Modules = DescribedFunctions & {
  /**
   * Asks the module who it is, and keeps it. Its `init` is called soon after.
   * @throws Fault invalid_argument, not_found, module_failed, address_refused
   */
  add(businessId: string, given: NewModule): Promise<Module>
  /**
   * Takes note that a module is served elsewhere now; its links go on there. At another origin its
   * secrets are given again.
   * @throws Fault not_found, forbidden, invalid_argument, module_failed, address_refused
   */
  move(businessId: string, id: string, place: Place): Promise<Module>
  /**
   * Changes its name, its parameters, or whether simulations call it.
   * @throws Fault not_found, invalid_argument
   */
  configure(businessId: string, id: string, change: UseChange): Promise<Module>
  /** Moves it if a URL is given, and configures the rest. @throws Fault as both */
  change(businessId: string, id: string, change: ModuleChange, by: string): Promise<ModuleDetails>
  /**
   * Reads all that a module says again: its definition if the business published it by a URL, what
   * it is, and its functions.
   * @throws Fault not_found, module_failed, address_refused, definition_refused
   */
  refresh(businessId: string, id: string, by?: string): Promise<ModuleDetails>
  /** The built-in one first, then in the order they were added. */
  list(businessId: string): Promise<Module[]>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<Module>
  /** A module with its parameters and its health. @throws Fault not_found, secret_unreadable */
  details(businessId: string, id: string): Promise<ModuleDetails>
  /** Calls the module, and names all that is wrong with it. @throws Fault not_found */
  check(businessId: string, id: string): Promise<ModuleCheck>
  /** @throws Fault not_found */
  report(businessId: string, id: string): Promise<ModuleReport>
  /** Returns the health of all modules but the built-in one. */
  health(businessId: string): Promise<ModuleHealth[]>
  /**
   * Ends the use of a module; its `gc` is called soon after.
   * @throws Fault not_found; in_use, which names the links
   */
  remove(businessId: string, id: string, options?: RemoveOptions): Promise<void>
}

export type ModulesOptions = ReleaseOptions & {
  readonly marketplace: Pick<Marketplace, 'uses' | 'listings'>
  readonly external: ExternalModules
  readonly client: ModuleClient
  readonly described: DescribedFunctions
  readonly functions: FunctionLists
  readonly health: Health
  readonly changes: Changes
  readonly runs: Pick<Runs, 'enqueue' | 'wake'>
}

export function createModules(options: ModulesOptions): Modules {
  const { external, described, changes } = options
  const details = (businessId: string, id: string) => loadDetails(options, businessId, id)
  const moved = changes.publishing('modules', (businessId: string, id: string, place: Place) =>
    move(options, businessId, id, place),
  )
  const configured = changes.publishing(
    'modules',
    (businessId: string, id: string, change: UseChange) =>
      configure(options, businessId, id, change),
  )
  const refreshed = changes.publishing('modules', (businessId: string, id: string, by?: string) =>
    refresh(options, businessId, id, by),
  )

  return {
    ...described,
    details,
    add: changes.publishing('modules', (businessId, given) => add(options, businessId, given)),
    move: moved,
    configure: configured,
    async change(businessId, id, { url, parameters, ...rest }, by) {
      const change = omitUndefined(url === undefined ? { ...rest, parameters } : rest)
      if (url !== undefined) await moved(businessId, id, { url, parameters, by })
      if (Object.keys(change).length > 0) await configured(businessId, id, change)
      return details(businessId, id)
    },
    async refresh(businessId, id, by) {
      await refreshed(businessId, id, by)
      return details(businessId, id)
    },
    check: async (businessId, id) =>
      checkModule(options, await requireUse(options, businessId, id)),
    remove: changes.publishing('modules', (businessId, id, removal) =>
      remove(options, businessId, id, removal),
    ),
    async list(businessId) {
      const modules = await external.list(businessId)
      return [builtinModule(businessId), ...modules.map(publicPart)]
    },
    get: async (businessId, id) =>
      id === builtinId ? builtinModule(businessId) : publicPart(await external.get(businessId, id)),
    report: async (businessId, id) =>
      id === builtinId ? healthy : makeReport(options, await external.get(businessId, id)),
    async health(businessId) {
      const modules = await external.list(businessId)
      return modules.map((one) => ({ id: one.id, name: one.name, ...makeReport(options, one) }))
    },
  }
}

const healthy = { complaints: [], failuresInRow: 0, restsUntil: null, lastFailure: null }

const usPerMs = 1_000

function makeReport(
  { functions, health }: ModulesOptions,
  { id, complaints }: ExternalModule,
): ModuleReport {
  const restsUntilMs = health.restsUntil(id)
  return {
    complaints: [...complaints, ...functions.complaints(id)],
    restsUntil: restsUntilMs === undefined ? null : restsUntilMs * usPerMs,
    ...health.state(id),
  }
}

async function loadDetails(
  options: ModulesOptions,
  businessId: string,
  id: string,
): Promise<ModuleDetails> {
  if (id === builtinId) {
    const { complaints, ...health } = healthy
    const module = builtinModule(businessId)
    return { ...module, complaints, listing: null, parameters: [], problems: [], health }
  }
  const module = await options.external.get(businessId, id)
  const use = await requireUse(options, businessId, id)
  const { complaints, ...health } = makeReport(options, module)
  const { listing } = use
  return {
    ...publicPart(module),
    complaints,
    listing: { id: listing.id, own: listing.businessId === businessId },
    parameters: options.marketplace.uses.parameters(use),
    problems: listing.problems,
    health,
  }
}

async function requireUse(
  { marketplace: { uses } }: ModulesOptions,
  businessId: string,
  id: string,
): Promise<Use> {
  const [use] = await uses.ofIds(businessId, [id])
  if (use === undefined) throw new Fault('not_found', 'There is no such module.')
  return use
}

async function add(options: ModulesOptions, businessId: string, given: NewModule): Promise<Module> {
  const { database, marketplace, runs } = options
  const { prepared, answer } = await introduce(options, businessId, given)
  const { use } = prepared
  await database.transaction(async (transaction) => {
    await marketplace.uses.add(transaction, prepared)
    await addModuleAnswer(transaction, businessId, use.id, answer)
    await runs.enqueue(transaction, setupJob('init', use))
  })
  runs.wake()
  return publicPart(externalModule(marketplace.uses, use, answer))
}

type Place = {
  readonly url: string
  readonly base?: string | undefined
  readonly host?: DefinitionHost
  readonly parameters?: UseChange['parameters']
  readonly by?: string | undefined
}

async function move(
  options: ModulesOptions,
  businessId: string,
  id: string,
  place: Place,
): Promise<Module> {
  const { database, marketplace } = options
  const { url, parameters, by = '' } = place
  const use = await requireUse(options, businessId, id)
  assertOwner(use.listing, businessId)
  if (use.listing.implied) return moveImplied(options, use, place)
  // It is asked there first, with the credentials that it has there.
  const there = marketplace.uses.moved(use, { ...use.listing, base: url }, parameters)
  const answer = await askInfo(options, there)
  await marketplace.listings.change(businessId, use.listing.id, { base: url, by })
  await database.transaction((held) => marketplace.uses.configure(held, there, {}))
  return renewed(options, use, answer)
}

/** Moves a module that was added by its base: what it serves there is read. */
async function moveImplied(
  options: ModulesOptions,
  use: Use,
  { by = '', ...place }: Place,
): Promise<Module> {
  const { database, marketplace } = options
  const { businessId, name } = use
  const given = { name, ...place, moved: use, by }
  const { prepared, answer } = await introduce(options, businessId, given)
  await database.transaction((held) => marketplace.uses.move(held, use, prepared))
  return renewed(options, use, answer)
}

function assertOwner(listing: Listing, businessId: string): void {
  if (listing.businessId === businessId) return
  throw new Fault('forbidden', 'Only the business that published the listing can move it.')
}

async function configure(
  options: ModulesOptions,
  businessId: string,
  id: string,
  { name, ...rest }: UseChange,
): Promise<Module> {
  const { database, marketplace, functions, health } = options
  const use = await requireUse(options, businessId, id)
  const change = { ...rest, name: name === undefined ? undefined : checkedName(name) }
  await database.transaction((held) => marketplace.uses.configure(held, use, change))
  functions.forget(id)
  health.forget(id)
  return publicPart(await options.external.get(businessId, id))
}

async function refresh(
  options: ModulesOptions,
  businessId: string,
  id: string,
  by = '',
): Promise<Module> {
  const module = await readAgain(options, await requireUse(options, businessId, id), by)
  // Its links are compared with the functions that it lists.
  if (!module.info.group_id_required) await options.described.functions(businessId, id)
  return module
}

async function readAgain(options: ModulesOptions, use: Use, by: string): Promise<Module> {
  const { businessId, id, listing } = use
  const { definitionUrl } = listing
  const own = listing.businessId === businessId
  if (own && listing.implied) {
    const { givenBase } = listing
    const place =
      definitionUrl === null
        ? { url: givenBase ?? listing.base }
        : {
            url: definitionUrl,
            base: givenBase ?? undefined,
            host: hostUsed(listing, definitionUrl),
          }
    return moveImplied(options, use, { ...place, by })
  }
  if (own && definitionUrl !== null) {
    const tolerant = listing.problems.length > 0
    await options.marketplace.listings.change(businessId, listing.id, {
      definitionUrl,
      tolerant,
      by,
    })
  }
  const now = await requireUse(options, businessId, id)
  return renewed(options, now, await askInfo(options, now))
}

/** Its secrets were given for the host that is used, so a refresh does not try another one. */
function hostUsed({ base }: Listing, definitionUrl: string): DefinitionHost {
  return new URL(base).origin === new URL(definitionUrl).origin ? 'url' : 'file'
}

/** Keeps what a module answered; what is cached of it is read again. */
async function renewed(
  { database, external, functions, health }: ModulesOptions,
  { businessId, id }: Use,
  answer: ModuleAnswer,
): Promise<Module> {
  await addModuleAnswer(database, businessId, id, answer)
  functions.forget(id)
  health.forget(id)
  return publicPart(await external.get(businessId, id))
}

async function remove(
  options: ModulesOptions,
  businessId: string,
  id: string,
  removal: RemoveOptions = {},
): Promise<void> {
  const { database, marketplace, functions, health, runs } = options
  const use = await requireUse(options, businessId, id)
  await releaseLinks(options, use, removal)
  await database.transaction(async (transaction) => {
    await marketplace.uses.remove(transaction, businessId, id)
    await dropModuleAnswer(transaction, businessId, id)
    await dropFunctions(transaction, businessId, id)
    await runs.enqueue(transaction, setupJob('gc', use))
  })
  runs.wake()
  functions.forget(id)
  health.forget(id)
}

/** A module without what only its calls need. */
function publicPart({ endpoints: _endpoints, ...module }: ExternalModule): Module {
  return module
}
