import { Fault, limits } from '../../kernel/index.ts'
import type { Configuration, ConfigurationReads } from '../../scripting/index.ts'
import { definitionOf, type Exposed, exposedOf, mayUse } from './exposed.ts'
import { createKept } from './kept.ts'

/** The exposed solutions, kept in memory for a moment. */
export type Exposures = {
  /** Undefined where the solution exposes nothing. */
  get(solutionId: string): Promise<Exposed | undefined>
  /**
   * By id, else by script key, among those that the business may use: its own comes first. What
   * was stored under an id is only that one: see exposed-service.ts.
   * @throws Fault invalid_argument where several others have the script key
   */
  find(businessId: string, name: string): Promise<Exposed | undefined>
  /**
   * Checks a name before something new is given to a solution by it. An id wins in `find`, so that
   * what was given stays what it is; but anybody may take an id that is the script key of somebody
   * else's service.
   * @throws Fault invalid_argument if another business has the id and a further service the key
   */
  refuseAmbiguous(businessId: string, name: string): Promise<void>
  /** To be called when one was changed: all are looked up anew. */
  forget(): void
}

export const serviceName = 'interface'

/** What is no id, nor a script key, names nothing. */
const idShape = /^[a-zA-Z0-9]{1,63}$/

export function createExposures(configurations: ConfigurationReads): Exposures {
  const kept = createKept<Exposed | undefined>()
  /** When the configuration was stored that one was made of: patterns are compiled once. */
  const made = new WeakMap<Exposed, number>()

  function read(configuration: Configuration): Exposed {
    const exposed = exposedOf(configuration)
    made.set(exposed, configuration.updatedAt)
    return exposed
  }

  async function look(solutionId: string, before: Promise<Exposed | undefined> | undefined) {
    const [configuration] = await configurations.ofSolution(serviceName, solutionId)
    if (configuration === undefined) return undefined
    const known = await before?.catch(() => undefined)
    const same = known !== undefined && made.get(known) === configuration.updatedAt
    return same ? known : read(configuration)
  }

  async function get(solutionId: string): Promise<Exposed | undefined> {
    if (!idShape.test(solutionId)) return undefined
    return kept.get(solutionId, (before) => look(solutionId, before))
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
      // No id holds a space.
      return (
        (await byId(businessId, name)) ??
        kept.get(`${businessId} ${name}`, () => byKey(businessId, name))
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
    forget: kept.forget,
  }
}
