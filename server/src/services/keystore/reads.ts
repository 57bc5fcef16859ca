import type { Database } from '../../database/index.ts'
import { type Clock, createBatcher, limits } from '../../kernel/index.ts'
import type { Entry } from './entry.ts'
import { type Name, readEntries } from './store.ts'

/** Keys that are read together take one query; a second one waits for the first. */
export function createReads(database: Database, clock: Clock) {
  return createBatcher<Name, Entry | undefined>({
    batchMax: limits.keystoreBatchMax,
    waitingMax: limits.keystoreWaitingMax,
    async run(names) {
      const found = await readEntries(database, names, clock.nowUs())
      const entries = new Map(found.map((one) => [`${one.solutionId}\0${one.key}`, one.entry]))
      return names.map(({ solutionId, key }) => ({ value: entries.get(`${solutionId}\0${key}`) }))
    },
  })
}
