import type { Fields } from '../../../kernel/index.ts'
import type { ScriptingApi } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import { serviceName } from '../exposed/exposed-services.ts'
import { definitionIn } from '../service.ts'
import { type Impact, impactOf } from './breaking.ts'
import { parseDefinition } from './parse-definition.ts'

/** Checks a definition before it is published. */
export type DefinitionCheck = {
  /**
   * Returns what the definition would break, and for which subscribers. Changes nothing.
   * @throws Fault not_found if nothing is exposed yet, invalid_argument
   */
  check(businessId: string, solutionId: string, body: Fields): Promise<Impact[]>
}

export function createDefinitionCheck(scripts: ScriptingApi): DefinitionCheck {
  return {
    async check(businessId, solutionId, body) {
      const [live] = await scripts.configurations.ofSolution(serviceName, solutionId)
      if (live?.businessId !== businessId) throw refusals.notExposed()
      return impactOf(scripts, live, parseDefinition(solutionId, definitionIn(body)))
    },
  }
}
