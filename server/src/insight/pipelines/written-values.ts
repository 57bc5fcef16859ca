import type { Database } from '../../foundation/database/index.ts'
import { type Clock, Fault, invalid, type Json, refuseUnit } from '../../foundation/kernel/index.ts'
import { type Entry, type EventLog, type SignalWrite, signalsId } from '../../log/eventlog/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { Assets, Signal } from '../assets/index.ts'
import { writtenValue } from './points.ts'

/** Values that one request writes to signals. */
const signalWritesMax = 1_000

/** A value for a signal that a person or a program writes. */
export type NewSignalWrite = {
  readonly signalId: string
  readonly value: Json
  /** Microseconds; now if it is left out. */
  readonly timestamp?: number | null | undefined
}

/** Values that are written to signals: they go through the log, as those of devices do. */
export type WrittenValues = {
  /**
   * Writes values; what it returns for each, in their order, is undefined if it is durable, and
   * else why it was refused. Values that are not refused are written together, or none of them.
   * @param by the principal's subject
   * @throws Fault `invalid_argument` past signalWritesMax
   */
  write(
    view: View,
    writes: readonly NewSignalWrite[],
    by: string,
  ): Promise<readonly (Fault | undefined)[]>
}

export type WrittenValuesOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'appendIn'>
  readonly assets: Pick<Assets, 'signals'>
  readonly clock: Clock
}

export function createWrittenValues(options: WrittenValuesOptions): WrittenValues {
  const { database, eventlog, assets, clock } = options
  return {
    async write(view, writes, by) {
      if (writes.length > signalWritesMax) {
        throw invalid(`at most ${signalWritesMax} values are written at once`)
      }
      const at = clock.nowUs()
      const ids = [...new Set(writes.map(({ signalId }) => signalId))]
      const found = await assets.signals.some(view, ids)
      const signals = new Map(found.map((signal) => [signal.id, signal]))
      const checked = writes.map((write) => checkedWrite(signals.get(write.signalId), write, at))
      const taken = checked.filter((one): one is Checked => !(one instanceof Fault))
      const entries = [...Map.groupBy(taken, ({ assetId }) => assetId)].map(
        ([assetId, those]): Entry => {
          const body = { by, values: those.map(({ write }) => write) }
          const { businessId } = view
          return { businessId, connectorId: signalsId, identity: assetId, at, kind: 'values', body }
        },
      )
      if (entries.length > 0) {
        await database.transaction((transaction) => eventlog.appendIn(transaction, entries))
      }
      return checked.map((one) => (one instanceof Fault ? one : undefined))
    },
  }
}

type Checked = { readonly assetId: string; readonly write: SignalWrite }

/** Returns why a value is refused. */
function checkedWrite(
  signal: Signal | undefined,
  { signalId, value, timestamp }: NewSignalWrite,
  at: number,
): Checked | Fault {
  if (signal === undefined) return new Fault('not_found', `there is no signal ${signalId}`)
  if (signal.source !== null && 'linkId' in signal.source) {
    return invalid('a function feeds the signal: its values are computed')
  }
  const stamp = timestamp ?? at
  const refusal = refuseUnit(stamp)
  if (refusal !== undefined) return invalid(`the time ${refusal}`)
  const read = writtenValue(signal, value)
  if ('complaint' in read) return new Fault('value_refused', `${read.complaint}.`)
  return { assetId: signal.assetId, write: { signalId, timestamp: stamp, value: read.value } }
}
