import type { Statement } from '../database/index.ts'
import type { EventLog, PartCounts } from '../eventlog/index.ts'

/** Parts of the ledger, one for each job. */
type Parts = readonly { readonly part: number }[]

/** Returns the statement that counts jobs of a stage in the ledger; none if there are none. */
export function countStatements(
  { eventlog, stage }: { eventlog: Pick<EventLog, 'countStatement'>; stage: string },
  { taken = [], done = [], failed = [] }: { taken?: Parts; done?: Parts; failed?: Parts },
): readonly Statement[] {
  const counts = new Map<number, { part: number; taken: number; done: number; failed: number }>()
  const add = (parts: Parts, name: 'taken' | 'done' | 'failed') => {
    for (const { part } of parts) {
      const of = counts.get(part) ?? { part, taken: 0, done: 0, failed: 0 }
      of[name] += 1
      counts.set(part, of)
    }
  }
  add(taken, 'taken')
  add(done, 'done')
  add(failed, 'failed')
  const all: readonly PartCounts[] = [...counts.values()]
  return all.length === 0 ? [] : [eventlog.countStatement(stage, all)]
}
