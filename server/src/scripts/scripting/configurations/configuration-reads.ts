import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { scriptingLimits } from '../limits.ts'
import { changeSolution } from '../registry/change.ts'
import type { RegistryOptions } from '../registry/options.ts'
import type { ConfigurationReads } from '../scripting-api.ts'
import { readOffers } from '../store/catalogue.ts'
import {
  readOfService,
  readOfSolution,
  readPageOfService,
  updateConfiguration,
} from '../store/configurations.ts'
import { storableField } from './configuration.ts'

/** Reads and updates the configurations of one service, across the businesses. */
export function createConfigurationReads(options: RegistryOptions): ConfigurationReads {
  const { database, clock } = options

  return {
    find: (service, id) => readOfService(database, service, id),
    ofSolution: (service, solutionId) => readOfSolution(database, service, solutionId),
    async ofService(service, { businessId, parameters = {}, offset, limit }) {
      const filter = storableField('parameters', parameters, scriptingLimits.configurationBytesMax)
      const page = { businessId, parameters: JSON.stringify(filter), offset, limit }
      return readPageOfService(database, service, page)
    },
    offeredTo: (businessId, asked) => readOffers(database, businessId, asked),
    async setParameters(service, id, given) {
      const parameters = storableField('parameters', given, scriptingLimits.configurationBytesMax)
      for (let tries = 1; tries <= limits.transactionTriesMax; tries += 1) {
        const before = await readOfService(database, service, id)
        if (before === undefined) throw new Fault('not_found', 'There is no such configuration.')
        const updatedAt = Math.max(clock.nowUs(), before.updatedAt + 1)
        const after = { ...before, parameters, updatedAt }
        const { businessId, solutionId } = before
        let result: Awaited<ReturnType<typeof updateConfiguration>> = 'stale'
        await changeSolution(options, businessId, solutionId, async (transaction) => {
          result = await updateConfiguration(transaction, businessId, after, before)
          return result === 'updated'
        })
        if (result !== 'stale') return after
      }
      throw new Fault('overloaded', 'The configuration keeps changing. Try again.')
    },
  }
}
