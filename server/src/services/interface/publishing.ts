import type { Fields } from '../../kernel/index.ts'
import type { ScriptingApi } from '../../scripting/index.ts'
import { type Impact, impactOf } from './breaking.ts'
import { refusals } from './errors.ts'
import { serviceName } from './exposures.ts'
import { parseDefinition } from './parse-definition.ts'
import { definitionIn } from './service.ts'

/** What comes before a definition is published. */
export type Publishing = {
  /**
   * What the definition would break, and for whom. Nothing is changed.
   * @throws Fault not_found where nothing is exposed yet, invalid_argument
   */
  check(businessId: string, solutionId: string, body: Fields): Promise<Impact[]>
}

export function createPublishing(scripts: ScriptingApi): Publishing {
  return {
    async check(businessId, solutionId, body) {
      const [live] = await scripts.configurations.ofSolution(serviceName, solutionId)
      if (live?.businessId !== businessId) throw refusals.notExposed()
      return impactOf(scripts, live, parseDefinition(solutionId, definitionIn(body)))
    },
  }
}
