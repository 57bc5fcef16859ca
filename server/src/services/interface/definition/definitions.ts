import type { Fields } from '../../../kernel/index.ts'
import type { Configuration, ScriptingApi } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import { definitionOf } from '../exposed/exposed.ts'
import { serviceName } from '../exposed/exposed-services.ts'
import { type Impact, impactOf } from './breaking.ts'
import type { Definition } from './definition.ts'
import { definitionIn, parseDefinition } from './parse-definition.ts'

/** The definitions of exposed solutions, for their operators. */
export type Definitions = {
  /** Returns the live one. @throws Fault not_found if nothing is exposed. */
  get(businessId: string, solutionId: string): Promise<Definition>
  /**
   * Returns what a definition would break, and for which subscribers. Changes nothing.
   * @throws Fault not_found if nothing is exposed yet, invalid_argument
   */
  check(businessId: string, solutionId: string, body: Fields): Promise<Impact[]>
}

export function createDefinitions(scripts: ScriptingApi): Definitions {
  async function liveOf(businessId: string, solutionId: string): Promise<Configuration> {
    const [live] = await scripts.configurations.ofSolution(serviceName, solutionId)
    if (live?.businessId !== businessId) throw refusals.notExposed()
    return live
  }

  return {
    async get(businessId, solutionId) {
      return definitionOf(await liveOf(businessId, solutionId))
    },
    async check(businessId, solutionId, body) {
      const live = await liveOf(businessId, solutionId)
      return impactOf(scripts, live, parseDefinition(solutionId, definitionIn(body)))
    },
  }
}
