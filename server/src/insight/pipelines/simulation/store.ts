import type { Database } from '../../../foundation/database/index.ts'
import { Fault } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Assets, Signal } from '../../assets/index.ts'
import type { PipelineRun } from './run.ts'
import type { SimulatedSignal } from './schema.ts'

/** Values of outlets that one simulation stores. */
const simulationStoredMax = 100_000

type StoreOptions = {
  readonly database: Database
  readonly assets: Pick<Assets, 'history' | 'writeValues'>
}

type Range = { readonly from: number; readonly to: number }

/** The signals that were filled, and why others were not, a sentence each. */
export type Filled = { readonly stored: readonly SimulatedSignal[]; readonly notes: string[] }

/**
 * Stores what a run made for the outlets of functions, as history of signals that have none in the
 * range; each signal whole or not at all. Statuses, actions and events do not come of it: outlets
 * of rules are left out, and so are signals with a timeout, whose silence would be an alarm.
 * @throws Fault invalid_argument if there are more values than `simulationStoredMax`
 */
export async function storeRun(
  options: StoreOptions,
  view: View,
  { graph, values }: PipelineRun,
  existing: ReadonlyMap<string, Signal>,
  range: Range,
): Promise<Filled> {
  const notes: string[] = []
  const fitting: Signal[] = []
  const functions = graph.links.filter(({ id, insight }) => {
    return graph.computed.has(id) && insight.type !== 'rule'
  })
  for (const id of functions.flatMap(({ outlets }) => outlets)) {
    const signal = existing.get(id)
    const why = await whyNot(options, view, signal, range)
    if (signal !== undefined && why === null) fitting.push(signal)
    else notes.push(`${graph.signals.get(id)?.name ?? id}: not stored, because ${why}.`)
  }
  const count = fitting.reduce((sum, { id }) => sum + (values.get(id)?.size ?? 0), 0)
  if (count > simulationStoredMax) throw tooMany()
  const stored: SimulatedSignal[] = []
  for (const { id, key, name } of fitting) {
    const own = [...(values.get(id) ?? [])].map(([ts, value]) => ({ key, ts, value }))
    if (own.length > 0) {
      await options.database.transaction((transaction) =>
        options.assets.writeValues(transaction, own),
      )
    }
    stored.push({ id, name, count: own.length })
  }
  return { stored, notes }
}

async function whyNot(
  { assets }: StoreOptions,
  view: View,
  signal: Signal | undefined,
  { from, to }: Range,
): Promise<string | null> {
  if (signal === undefined) return 'the change that makes it is not saved'
  if (signal.timeoutMs !== null) return 'it has a timeout'
  const found = await assets.history(view, signal.id, { from, to, limit: 1 })
  return found.length > 0 ? 'it has values in the range' : null
}

function tooMany(): Fault {
  const most = simulationStoredMax
  return new Fault('invalid_argument', `More than ${most} values are to be stored; take less time.`)
}
