import { refusals } from '../errors.ts'
import type { Exposed } from '../exposed/exposed-definition.ts'
import type { ExposedServices } from '../exposed/exposed-services.ts'
import { luaClient } from './lua.ts'
import { typescriptClient } from './typescript.ts'

/** Generates clients of exposed solutions from their current definitions. */
export type InterfaceClients = {
  /** A module for external programs. @throws Fault not_found */
  typescript(businessId: string, solution: string): Promise<string>
  /**
   * A module for a solution's scripts; `alias` is the service's script key there.
   * @throws Fault not_found, invalid_argument
   */
  lua(businessId: string, solution: string, alias?: string): Promise<string>
}

/** `solution` is the id or script key of a solution that the business may use. */
export function createClients(exposedServices: ExposedServices): InterfaceClients {
  async function requireExposed(businessId: string, solution: string): Promise<Exposed> {
    const exposed = await exposedServices.find(businessId, solution)
    if (exposed === undefined) throw refusals.notSubscribed()
    return exposed
  }

  return {
    async typescript(businessId, solution) {
      return typescriptClient(await requireExposed(businessId, solution))
    },
    async lua(businessId, solution, alias) {
      const { definition } = await requireExposed(businessId, solution)
      return luaClient(definition, alias ?? definition.default_script_key)
    },
  }
}
