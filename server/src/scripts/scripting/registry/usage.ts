import { limits } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import type { SolutionUse } from '../schema.ts'
import { readConfigurations } from '../store/configurations.ts'
import { measureScripts } from '../store/scripts.ts'
import { requireSolution } from './change.ts'
import type { RegistryOptions } from './options.ts'
import { readValues } from './variables.ts'

/**
 * Reads the use that a solution makes of its limits now.
 * @throws Fault not_found
 */
export type ReadUsage = (businessId: string, solutionId: string) => Promise<readonly SolutionUse[]>

type UsageOptions = Pick<RegistryOptions, 'database' | 'secrets' | 'services'>

export function createReadUsage({ database, secrets, services }: UsageOptions): ReadUsage {
  return async (businessId, solutionId) => {
    await requireSolution(database, businessId, solutionId)
    const [scripts, given, values, kept] = await Promise.all([
      measureScripts(database, businessId, solutionId),
      readConfigurations(database, businessId, solutionId),
      readValues(secrets, database, businessId, solutionId),
      services.usage(solutionId),
    ])
    const variables = Object.keys(values).length
    return [
      { limit: 'scriptsMax', used: scripts.count, max: limits.scriptsMax },
      {
        limit: 'solutionSourceBytesMax',
        used: scripts.bytes,
        max: scriptingLimits.solutionSourceBytesMax,
      },
      { limit: 'configurationsMax', used: given.length, max: limits.configurationsMax },
      {
        limit: 'environmentVariablesMax',
        used: variables,
        max: scriptingLimits.environmentVariablesMax,
      },
      ...kept,
    ]
  }
}
