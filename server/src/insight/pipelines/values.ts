import type { Consumer, Failure } from '../../log/eventlog/index.ts'
import type { NewValue } from '../assets/index.ts'
import { type Note, type Notes, toFailures } from './notes.ts'
import { findTargets, readPoints } from './points.ts'
import { followStructure, type StructureOptions } from './structure.ts'

export type ValuesOptions = StructureOptions & { readonly notes: Notes }

type Prepared = {
  readonly values: readonly NewValue[]
  readonly notes: readonly Note[]
  readonly failures: readonly Failure[]
}

/**
 * The consumer that makes signals' values of what devices write, and of what is written to signals
 * themselves: one query, one write a batch.
 */
export function valuesConsumer(options: ValuesOptions): Consumer<Prepared> {
  const { assets, notes } = options
  return {
    name: 'values',
    acrossPartitions: true,
    async prepare(entries) {
      const structured = await followStructure(options, entries)
      const targets = await findTargets(assets, entries)
      const readings = entries.map((entry) => ({ entry, ...readPoints(entry, targets) }))
      return {
        values: readings.flatMap(({ entry, points }) => {
          const protocol = 'protocol' in entry.body ? entry.body.protocol : null
          const received = { protocol, at: entry.at }
          return points.map(({ signal: { key }, ts, value }) => {
            return { key, ts, value, platformStamp: ts === entry.at, received }
          })
        }),
        notes: [...structured.notes, ...readings.flatMap((reading) => reading.notes)],
        failures: readings.flatMap(({ entry, failure }) =>
          toFailures(entry, structured.failures.get(entry) ?? failure),
        ),
      }
    },
    isEmpty: ({ values, notes: lines, failures }) =>
      values.length + lines.length + failures.length === 0,
    async apply(transaction, prepared) {
      if (prepared.values.length > 0) await assets.writeValues(transaction, prepared.values)
      await notes.write(transaction, prepared.notes)
      return prepared.failures
    },
  }
}
