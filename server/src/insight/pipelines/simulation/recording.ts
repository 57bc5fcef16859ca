import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Assets, Value } from '../../assets/index.ts'

/** Recorded values that one simulation of a pipeline takes. */
const simulationValuesMax = 100_000

/** The recorded values of one time, by signal id. */
export type RecordedEntry = {
  readonly ts: number
  readonly values: ReadonlyMap<string, Value['value']>
}

/** The recorded values of signals: those before a range, and those in it by time. */
export type Recording = {
  readonly before: ReadonlyMap<string, Value>
  readonly entries: readonly RecordedEntry[]
  readonly count: number
}

type Range = { readonly from: number; readonly to: number }

/** @throws Fault invalid_argument if there are more values than `simulationValuesMax` */
export async function readRecording(
  assets: Pick<Assets, 'history'>,
  view: View,
  signalIds: readonly string[],
  range: Range,
): Promise<Recording> {
  const before = new Map<string, Value>()
  const entries = new Map<number, Map<string, Value['value']>>()
  let count = 0
  for (const id of signalIds) {
    const [last] = await assets.history(view, id, { to: range.from, limit: 1 })
    if (last !== undefined) before.set(id, last)
    for await (const { ts, value } of readValues(assets, view, id, range)) {
      count += 1
      if (count > simulationValuesMax) throw tooMany()
      const entry = entries.get(ts) ?? new Map<string, Value['value']>()
      entries.set(ts, entry.set(id, value))
    }
  }
  const sorted = [...entries].toSorted(([a], [b]) => a - b)
  return { before, entries: sorted.map(([ts, values]) => ({ ts, values })), count }
}

async function* readValues(
  assets: Pick<Assets, 'history'>,
  view: View,
  signalId: string,
  { from, to }: Range,
): AsyncGenerator<Value> {
  const limit = limits.historyValuesMax
  for (let next = from; ; ) {
    const range = { from: next, to, limit, order: 'asc' } as const
    const page = await assets.history(view, signalId, range)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return
    next = last.ts + 1
  }
}

function tooMany(): Fault {
  const most = simulationValuesMax
  return new Fault(
    'invalid_argument',
    `The range has more than ${most} values; take a shorter one.`,
  )
}
