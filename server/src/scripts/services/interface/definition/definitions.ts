import type { Fields } from '../../../../foundation/kernel/index.ts'
import type { Configuration, OffersQuery, ScriptingApi } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import { getDefinition } from '../exposed/exposed-definition.ts'
import { type ExposedServices, serviceName } from '../exposed/exposed-services.ts'
import type { Definition, Impact, OfferedService } from './definition.ts'
import { findImpact } from './impact.ts'
import { definitionIn, parseDefinition } from './parse-definition.ts'

/** The definitions of exposed solutions, for their operators and for those of subscribers. */
export type Definitions = {
  /**
   * Lists the services that the business may use, oldest first: its own, and those whose whitelist
   * names it. @throws Fault invalid_argument
   */
  list(
    businessId: string,
    query: OffersQuery,
  ): Promise<{ readonly items: readonly OfferedService[]; readonly total: number }>
  /**
   * Returns the live definition of a solution that the business may use, by its id or script key.
   * Another business gets neither the scripts of operations nor the whitelist.
   * @throws Fault not_found, invalid_argument if several services have the script key
   */
  get(businessId: string, solution: string): Promise<Definition>
  /**
   * Returns what a definition would break, and for which subscribers. Changes nothing.
   * @throws Fault not_found if nothing is exposed yet, invalid_argument
   */
  check(businessId: string, solutionId: string, body: Fields): Promise<Impact[]>
}

export function createDefinitions(
  scripts: ScriptingApi,
  exposedServices: ExposedServices,
): Definitions {
  async function findOwn(
    businessId: string,
    solutionId: string,
  ): Promise<Configuration | undefined> {
    const [live] = await scripts.configurations.ofSolution(serviceName, solutionId)
    return live?.businessId === businessId ? live : undefined
  }

  return {
    async list(businessId, query) {
      const { items, total } = await scripts.configurations.offeredTo(businessId, query)
      return { items: items.map((one) => toOffered(one, businessId)), total }
    },
    async get(businessId, solution) {
      const own = await findOwn(businessId, solution)
      if (own !== undefined) return getDefinition(own)
      const exposed = await exposedServices.find(businessId, solution)
      if (exposed === undefined) throw refusals.notExposed()
      const { definition } = exposed
      return exposed.businessId === businessId ? definition : pickShared(definition)
    },
    async check(businessId, solutionId, body) {
      const live = await findOwn(businessId, solutionId)
      if (live === undefined) throw refusals.notExposed()
      return findImpact(scripts, live, parseDefinition(solutionId, definitionIn(body)))
    },
  }
}

function toOffered(configuration: Configuration, businessId: string): OfferedService {
  const { default_script_key, name, description, contact, tags, parameters } =
    getDefinition(configuration)
  return {
    solution_id: configuration.solutionId,
    own: configuration.businessId === businessId,
    default_script_key,
    name,
    description,
    contact,
    tags,
    parameters,
  }
}

/** Returns what another business may see of a definition. */
function pickShared(definition: Definition): Definition {
  const operations = definition.operations.map(({ script: _, ...operation }) => operation)
  return { ...definition, whitelist: [], operations }
}
