import type { Insight } from '@millrace/insight-sdk/protocol'
import type { Database } from '../../database/index.ts'
import { type Clock, Fault, limits, newId, type Random } from '../../kernel/index.ts'
import { builtinFunctions, builtinId, builtinModule } from '../links/builtin.ts'
import { addModule, changeModule, dropModule, readModule, readModules } from '../store.ts'
import type { ExternalModule, Module, ModuleReport } from '../types.ts'
import type { ModuleClient } from './client.ts'
import { endpointsOf } from './endpoints.ts'
import type { FunctionCache } from './function-cache.ts'
import type { Health } from './health.ts'

export type Modules = {
  /**
   * Asks the module who it is, and keeps it.
   * @throws Fault invalid_argument, module_failed, address_refused
   */
  add(businessId: string, given: NewModule): Promise<Module>
  /**
   * Takes note that a module is served elsewhere now; its links go on there.
   * @throws Fault not_found, invalid_argument, module_failed, address_refused
   */
  move(businessId: string, id: string, url: string): Promise<Module>
  /** The built-in one first, then in the order they were added. */
  list(businessId: string): Promise<Module[]>
  /** @throws Fault not_found */
  get(businessId: string, id: string): Promise<Module>
  /** @throws Fault not_found, module_failed, address_refused */
  functions(businessId: string, id: string, groupId?: string): Promise<readonly Insight[]>
  /** @throws Fault not_found */
  report(businessId: string, id: string): Promise<ModuleReport>
  /** @throws Fault not_found; invalid_argument while links use it */
  remove(businessId: string, id: string): Promise<void>
}

/** `name`: the module's own where none is given. `url`: its base, http or https. */
export type NewModule = { readonly name?: string | null | undefined; readonly url: string }

export type ModulesOptions = {
  readonly database: Database
  readonly client: ModuleClient
  readonly functions: FunctionCache
  readonly health: Health
  readonly clock: Clock
  readonly random: Random
}

export function createModules(options: ModulesOptions): Modules {
  const { database, functions, health } = options

  async function external(businessId: string, id: string): Promise<ExternalModule> {
    const module = await readModule(database, businessId, id)
    if (module === undefined) throw new Fault('not_found', 'There is no such module.')
    return module
  }

  return {
    async add(businessId, given) {
      const module = await introduce(options, businessId, given)
      if (await addModule(database, businessId, module, limits.modulesMax))
        return publicPart(module)
      throw new Fault('invalid_argument', `A business has at most ${limits.modulesMax} modules.`)
    },
    async move(businessId, id, url) {
      const { name } = await external(businessId, id)
      const introduced = await introduce(options, businessId, { name, url })
      await changeModule(database, businessId, { ...introduced, id })
      functions.forget(id)
      health.forget(id)
      return publicPart(await external(businessId, id))
    },
    async list(businessId) {
      const modules = await readModules(database, businessId)
      return [builtinModule(businessId), ...modules.map(publicPart)]
    },
    async get(businessId, id) {
      return id === builtinId
        ? builtinModule(businessId)
        : publicPart(await external(businessId, id))
    },
    async functions(businessId, id, groupId = '') {
      if (id === builtinId) return builtinFunctions
      return (await functions.list(await external(businessId, id), groupId)).insights
    },
    async report(businessId, id) {
      if (id === builtinId) return healthy
      const module = await external(businessId, id)
      const complaints = [...module.complaints, ...functions.complaints(id)]
      return { complaints, restsUntilMs: health.restsUntil(id) ?? null, ...health.state(id) }
    },
    async remove(businessId, id) {
      await external(businessId, id)
      if (!(await dropModule(database, businessId, id))) {
        throw new Fault('invalid_argument', 'Links still use this module; remove them first.')
      }
      functions.forget(id)
      health.forget(id)
    },
  }
}

const healthy: ModuleReport = {
  complaints: [],
  failuresInRow: 0,
  restsUntilMs: null,
  lastFailure: null,
}

async function introduce(
  { client, clock, random }: ModulesOptions,
  businessId: string,
  given: NewModule,
): Promise<ExternalModule> {
  const url = checkedUrl(given.url)
  const endpoints = endpointsOf(url, await client.interfaceFile(businessId, url), businessId)
  const info = await client.info(businessId, endpoints.info)
  return {
    id: newId(random),
    businessId,
    name: checkedName(given.name || info.value.name || new URL(url).host),
    url,
    endpoints,
    info: info.value,
    complaints: info.complaints,
    createdAt: clock.nowUs(),
  }
}

function checkedUrl(text: string): string {
  const url = text.length > limits.settingCharsMax ? null : URL.parse(text)
  const plain = url !== null && url.search === '' && url.hash === ''
  if (!plain || !['http:', 'https:'].includes(url.protocol)) {
    throw new Fault('invalid_argument', 'The URL of a module is its base: http(s)://host/path.')
  }
  return url.href
}

function checkedName(name: string): string {
  const { nameCharsMax } = limits
  if (name.length <= nameCharsMax && !name.includes('\0')) return name
  throw new Fault('invalid_argument', `A name has at most ${nameCharsMax} characters.`)
}

/** A module without what only its calls need. */
function publicPart({ endpoints: _endpoints, ...module }: ExternalModule): Module {
  return module
}
