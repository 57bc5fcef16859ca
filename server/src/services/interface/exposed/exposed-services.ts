import { Fault, limits } from '../../../kernel/index.ts'
import type { Configuration, ConfigurationReads } from '../../../scripting/index.ts'
import { definitionOf, type Exposed, exposedOf, mayUse } from './exposed.ts'
import { createLookupCache } from './lookup-cache.ts'

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
  /** When each one's configuration was stored, so that patterns are compiled once. */
  const storedAt = new WeakMap<Exposed, number>()

  function read(configuration: Configuration): Exposed {
    const exposed = exposedOf(configuration)
    storedAt.set(exposed, configuration.updatedAt)
    return exposed
  }

  async function load(solutionId: string, before: Promise<Exposed | undefined> | undefined) {
    const [configuration] = await configurations.ofSolution(serviceName, solutionId)
    if (configuration === undefined) return undefined
    const known = await before?.catch(() => undefined)
    const same = known !== undefined && storedAt.get(known) === configuration.updatedAt
    return same ? known : read(configuration)
  }

  async function get(solutionId: string): Promise<Exposed | undefined> {
    if (!idShape.test(solutionId)) return undefined
    return cache.get(solutionId, (before) => load(solutionId, before))
  }

  async function byKey(businessId: string, key: string): Promise<Exposed | undefined> {
    const page = await configurations.ofService(serviceName, {
      parameters: { default_script_key: key },
      offset: 0,
      limit: limits.interfaceNamesakesMax,
    })
    const usable = page.items.filter((one) => mayUse(one.businessId, definitionOf(one), businessId))
    const own = usable.filter((one) => one.businessId === businessId)
    const [chosen, ...more] = own.length > 0 ? own : usable
    if (more.length > 0) {
      const sentence = `${key} names ${more.length + 1} services: use the id of one`
      throw new Fault('invalid_argument', sentence)
    }
    return chosen && read(chosen)
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
