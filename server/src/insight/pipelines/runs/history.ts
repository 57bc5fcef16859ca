import { setTimeout as pause } from 'node:timers/promises'
import {
  type HistoryAsked,
  type HistoryPoint,
  type JsonValue,
  type ProcessRequest,
  readHistoryAsked,
  type SignalData,
} from '@millrace/insight-sdk/protocol'
import type { EventLog, Position } from '../../../log/eventlog/index.ts'
import { wholeView } from '../../../people/groups/index.ts'
import type { Assets, Value } from '../../assets/index.ts'
import type { RunLink } from '../links/graphs.ts'
import { convertedValue } from '../run.ts'

/** Past values of one signal that a function with history receives if it sets no limit. */
const moduleHistoryValues = 100
/** The same if it sets one. */
const moduleHistoryValuesMax = 1_000
/** The time that a run with such a function waits for values of its entry to be stored. */
const moduleHistoryWaitMs = 1_000

type Stored = Pick<Assets, 'history'>

/** A signal of a link with the tags of its past values. */
type PastSignal = {
  readonly signalId: string
  readonly tags: Readonly<Record<string, string>>
  /** Its index; undefined for an outlet. */
  readonly inlet?: number
}

const pollMs = 5

/**
 * Returns the past values that a function requests, up to the newest value of its entry. The data
 * of the entry are in `data`, and count in place of what is stored: another consumer stores them,
 * and may have stored a later entry already. A signal without a value is left out: modules in the
 * field cannot take an empty list.
 */
export async function readHistory(
  assets: Stored,
  link: RunLink,
  data: readonly SignalData[],
  isNew: (signalId: string) => boolean,
): Promise<ProcessRequest['history']> {
  const asked = readHistoryAsked(link.insight.history, link.constants)
  if (asked === undefined) return undefined
  const newUs = data.filter(({ tags }) => isNew(tags?.signal ?? '')).map(({ ts }) => ts)
  const lastUs = newUs.reduce((latest, ts) => Math.max(latest, ts), Number.MIN_SAFE_INTEGER)
  const signals = listPastSignals(link, asked)
  const range = toRange(asked, lastUs)
  const ids = [...new Set(signals.map(({ signalId }) => signalId))]
  const stored = await Promise.all(
    ids.map((id) => assets.history(wholeView(link.businessId), id, range)),
  )
  const history = ids.map((id, at): [string, HistoryPoint[]] => {
    const past = signals
      .filter(({ signalId }) => signalId === id)
      .map((signal) => ({ tags: signal.tags, points: mergePoints(link, signal, stored[at], data) }))
    const times = new Set(past.flatMap(({ points }) => [...points.keys()]))
    const newest = [...times].sort((one, other) => one - other).slice(-range.limit)
    const pointsAt = (ts: number) =>
      past.flatMap(({ tags, points }) => {
        const value = points.get(ts)
        return value === undefined ? [] : [{ ts, value, tags }]
      })
    return [id, newest.flatMap(pointsAt)]
  })
  return Object.fromEntries(history.filter(([, points]) => points.length > 0))
}

/** Values by time: those that are stored, in the unit of the inlet, and those of the call. */
function mergePoints(
  link: RunLink,
  { signalId, tags, inlet }: PastSignal,
  stored: readonly Value[] = [],
  data: readonly SignalData[],
): ReadonlyMap<number, JsonValue> {
  const past = stored.map(({ ts, value }): [number, JsonValue] => {
    return [ts, inlet === undefined ? value : convertedValue(link, inlet, value)]
  })
  const own = data.filter((one) => {
    return one.tags?.signal === signalId && (inlet === undefined || one.tags.inlet === tags.inlet)
  })
  return new Map([...past, ...own.map(({ ts, value }): [number, JsonValue] => [ts, value])])
}

function listPastSignals({ insight, inlets, targets }: RunLink, asked: HistoryAsked): PastSignal[] {
  const received = inlets.map((signalId, at) => {
    return { signalId, tags: { inlet: insight.inlets[at]?.tag || String(at) }, inlet: at }
  })
  const emitted = [...targets].map(([outlet, { id }]) => {
    return { signalId: id, tags: { outlet: String(outlet) } }
  })
  return [...(asked.fromInlets ? received : []), ...(asked.fromOutlets ? emitted : [])]
}

function toRange({ limit, spanUs }: HistoryAsked, lastUs: number) {
  const firstUs = Math.trunc(lastUs - (spanUs ?? Number.MAX_VALUE))
  const from = Math.max(firstUs, Number.MIN_SAFE_INTEGER)
  const count = Math.min(limit ?? moduleHistoryValues, moduleHistoryValuesMax)
  return { from, to: lastUs + 1, limit: count, order: 'desc' } as const
}

/**
 * Waits until what came up to an entry is stored as values, so that a history does not depend on
 * which of the two consumers is faster. @returns false if it takes too long.
 */
export async function valuesStored(
  eventlog: Pick<EventLog, 'hasPassed'>,
  entry: Position,
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < moduleHistoryWaitMs; waitedMs += pollMs) {
    if (await eventlog.hasPassed('values', entry)) return true
    await pause(pollMs)
  }
  return false
}
