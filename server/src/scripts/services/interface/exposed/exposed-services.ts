import { elapsedMs, Fault, LruMap } from '../../../../foundation/kernel/index.ts'
import type { ConfigurationReads } from '../../../scripting/index.ts'
import { interfaceLimits } from '../limits.ts'
import { type Exposed, getDefinition, mayUse, parseExposed } from './exposed-definition.ts'

/** Exposed solutions that are cached. */
const interfaceCacheMax = 1_000
/** Exposed solutions of one name that are read to find one that the business may use. */
const interfaceNamesakesMax = 100

/** Finds exposed solutions, with a short cache. */
export type ExposedServices = {
  /** Undefined if the solution exposes nothing. */
  get(solutionId: string): Promise<Exposed | undefined>
  /**
   * Finds by id, else by script key, among the services that the business may use; its own come
   * first. A configuration stored under an id is for that one only: see exposed-service.ts.
   * @throws Fault invalid_argument if several others have the script key
   */
  find(businessId: string, name: string): Promise<Exposed | undefined>
  /**
   * Checks a name before a solution gets a new service by it. An id wins in `find`, so that
   * existing configurations keep their meaning; but anyone may choose an id that is the script key
   * of another business's service.
   * @throws Fault invalid_argument if another business has the id and a further service the key
   */
  refuseAmbiguous(businessId: string, name: string): Promise<void>
  /** Clears the cache; to be called after a change. */
  forget(): void
}

export const serviceName = 'interface'

/** The shape of ids and script keys. */
const idShape = /^[a-zA-Z0-9]{1,63}$/

export function createExposedServices(configurations: ConfigurationReads): ExposedServices {
  const cache = createLookupCache<Exposed | undefined>()

  async function load(solutionId: string, before: Promise<Exposed | undefined> | undefined) {
    const [configuration] = await configurations.ofSolution(serviceName, solutionId)
    if (configuration === undefined) return undefined
    const known = await before?.catch(() => undefined)
    // Patterns are compiled once for each version.
    return known?.updatedAt === configuration.updatedAt ? known : parseExposed(configuration)
  }

  async function get(solutionId: string): Promise<Exposed | undefined> {
    if (!idShape.test(solutionId)) return undefined
    return cache.get(solutionId, (before) => load(solutionId, before))
  }

  async function byKey(businessId: string, key: string): Promise<Exposed | undefined> {
    const page = await configurations.ofService(serviceName, {
      parameters: { default_script_key: key },
      offset: 0,
      limit: interfaceNamesakesMax,
    })
    const usable = page.items.filter((one) =>
      mayUse(one.businessId, getDefinition(one), businessId),
    )
    const own = usable.filter((one) => one.businessId === businessId)
    const [chosen, ...more] = own.length > 0 ? own : usable
    if (more.length > 0) {
      const sentence = `${key} names ${more.length + 1} services: use the id of one`
      throw new Fault('invalid_argument', sentence)
    }
    return chosen && parseExposed(chosen)
  }

  async function byId(businessId: string, id: string): Promise<Exposed | undefined> {
    const exposed = await get(id)
    return exposed && mayUse(exposed.businessId, exposed.definition, businessId)
      ? exposed
      : undefined
  }

  return {
    get,
    async find(businessId, name) {
      if (!idShape.test(name)) return undefined
      // No id contains a space.
      return (
        (await byId(businessId, name)) ??
        cache.get(`${businessId} ${name}`, () => byKey(businessId, name))
      )
    },
    async refuseAmbiguous(businessId, name) {
      if (!idShape.test(name)) return
      const exposed = await byId(businessId, name)
      if (exposed === undefined || exposed.businessId === businessId) return
      const other = await byKey(businessId, name)
      if (other === undefined || other.solutionId === exposed.solutionId) return
      const both = `the id of one service and the script key of ${other.solutionId}`
      throw new Fault('invalid_argument', `${name} is ${both}: use the id, or another script key`)
    },
    forget: cache.forget,
  }
}

/** Caches lookups for a short time, those in flight included; a failure is not cached. */
type LookupCache<Value> = {
  /** Returns the cached value, or calls `load` with the expired one. */
  get(key: string, load: (before: Promise<Value> | undefined) => Promise<Value>): Promise<Value>
  forget(): void
}

function createLookupCache<Value>(): LookupCache<Value> {
  const cache = new LruMap<string, { readonly atMs: number; readonly value: Promise<Value> }>(
    interfaceCacheMax,
  )
  return {
    get(key, load) {
      const before = cache.get(key)
      const atMs = elapsedMs()
      if (before !== undefined && atMs - before.atMs < interfaceLimits.interfaceCacheMs)
        return before.value
      const fresh = { atMs, value: load(before?.value) }
      cache.set(key, fresh)
      fresh.value.catch(() => {
        if (cache.get(key) === fresh) cache.delete(key)
      })
      return fresh.value
    },
    forget: () => cache.clear(),
  }
}
