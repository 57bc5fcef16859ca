import { type JsonValue, readStatus, type SignalData } from '@millrace/insight-sdk/protocol'
import { type NewStatus, type NewValue, type Signal, toSignalValue } from '../assets/index.ts'
import { type Clock, type Fault, limits } from '../kernel/index.ts'
import type { BatchValues } from './last-values.ts'
import type { AssetGraph, RunLink } from './links/graphs.ts'
import type { Note } from './notes.ts'
import type { SignalPoint } from './points.ts'

/** One value on its way through an asset's links. */
type Datum = Pick<SignalData, 'ts' | 'value' | 'origin' | 'generated' | 'tags'> & {
  /** Links that it may still pass through. */
  readonly ttl: number
}

/** The result of a function, outlet by outlet, or the reason why there is none. */
export type CallResult =
  | { readonly value: readonly (readonly SignalData[])[]; readonly complaints: readonly string[] }
  | Fault

export type GraphRunOptions = {
  readonly clock: Clock
  readonly last: BatchValues
  /** Calls a link's function. Throws only what is not the function's doing. */
  readonly call: (link: RunLink, data: readonly SignalData[]) => Promise<CallResult>
}

/** The results of the run of one entry, to be stored. */
export type Effects = {
  readonly values: NewValue[]
  readonly statuses: { readonly link: RunLink; readonly status: NewStatus }[]
  readonly notes: Note[]
  readonly calls: { taken: number; done: number; failed: number }
  /** The first reason for which a branch stopped. */
  failure: string | undefined
}

export function noEffects(): Effects {
  return {
    values: [],
    statuses: [],
    notes: [],
    calls: { taken: 0, done: 0, failed: 0 },
    failure: undefined,
  }
}

/** Returns true if the effects change nothing. */
export function isNothing({ values, statuses, notes, calls, failure }: Effects): boolean {
  const count = values.length + statuses.length + notes.length + calls.taken
  return count === 0 && failure === undefined
}

/**
 * Takes new points of an asset's signals through its links, each after all that feed it: one call
 * a link, with everything new at its inlets. A call that fails stops its own branch; the others
 * go on.
 */
export async function runGraph(
  { clock, last, call }: GraphRunOptions,
  { links }: AssetGraph,
  points: readonly SignalPoint[],
  effects: Effects,
): Promise<void> {
  const steps: number = limits.pipelineStepsMax
  const fresh = new Map<string, Datum[]>()
  const arrive = (signalId: string, datum: Datum) => {
    const those = fresh.get(signalId)
    if (those === undefined) fresh.set(signalId, [datum])
    else those.push(datum)
    last.take(signalId, datum)
  }
  for (const { signal, ts, value, origin } of points) {
    arrive(signal.id, { ts, value, origin, generated: origin, ttl: steps })
  }
  for (const link of links) {
    const data = gather(link, fresh, last, clock)
    if (data.length === 0) continue
    effects.calls.taken += 1
    const result = await call(link, data)
    if (result instanceof Error) {
      stop(effects, link, result.detail)
      continue
    }
    effects.calls.done += 1
    for (const complaint of result.complaints) note(effects, link, 'warning', complaint)
    const ttl = data.reduce((least, one) => Math.min(least, one.ttl ?? least), steps)
    absorb(link, result.value, effects, (signal, datum) => {
      arrive(signal.id, { ...datum, ttl: Math.min(datum.ttl ?? ttl, ttl) - 1 })
    })
  }
}

function note(effects: Effects, link: RunLink, severity: Note['severity'], words: string): void {
  const { businessId, assetId, name } = link
  effects.notes.push({ businessId, assetId, severity, text: `${name}: ${words}` })
}

function stop(effects: Effects, link: RunLink, reason: string): void {
  effects.calls.failed += 1
  effects.failure ??= `${link.name}: ${reason}`
  note(effects, link, 'error', reason)
}

/**
 * The data of one call: all that is new at the inlets, and for inlets with nothing new their last
 * value. Nothing where nothing is new, or where an inlet has never had a value.
 */
function gather(
  link: RunLink,
  fresh: ReadonlyMap<string, readonly Datum[]>,
  last: BatchValues,
  clock: Clock,
): SignalData[] {
  const arrived = link.inlets.map((signalId) => alive(fresh.get(signalId) ?? []))
  if (arrived.every((data) => data.length === 0)) return []
  const data: SignalData[] = []
  for (const [at, signalId] of link.inlets.entries()) {
    const those = arrived[at]?.length ? arrived[at] : lastOf(signalId, last)
    if (those.length === 0) return []
    const inlet = link.insight.inlets[at]?.tag || String(at)
    const tags = { inlet, signal: signalId, asset: link.assetId }
    for (const one of those) {
      data.push({ ...one, gts: clock.nowUs(), tags: { ...one.tags, ...tags } })
    }
  }
  return data
}

/** Returns the data that were not passed on too often. */
function alive(data: readonly Datum[]): readonly Datum[] {
  return data.filter((datum) => datum.ttl > 0)
}

function lastOf(signalId: string, last: BatchValues): readonly Datum[] {
  const known = last.get(signalId)
  if (known === undefined) return []
  const { ts, value, origin = signalId } = known
  return [{ ts, value, origin, generated: origin, ttl: limits.pipelineStepsMax }]
}

/** Makes a function's answer the new values of its outlets' signals, and of a rule its status. */
function absorb(
  link: RunLink,
  outlets: readonly (readonly SignalData[])[],
  effects: Effects,
  arrive: (signal: Signal, datum: SignalData) => void,
): void {
  for (const [at, answers] of outlets.entries()) {
    const target = link.targets.get(at)
    for (const answer of answers) {
      const isStatus = link.insight.type === 'rule' && at === 0
      const datum = isStatus ? judged(link, answer, effects) : answer
      if (datum === undefined || target === undefined) continue
      const read = toSignalValue(target, datum.value)
      if ('complaint' in read) {
        note(effects, link, 'warning', `outlet ${at}: ${read.complaint}`)
        continue
      }
      effects.values.push({ key: target.key, ts: datum.ts, value: read.value })
      arrive(target, { ...datum, value: read.value })
    }
  }
}

/** Takes a rule's answer as a status; one that cannot be read stops the branch. */
function judged(link: RunLink, answer: SignalData, effects: Effects): SignalData | undefined {
  const read = readStatus(answer.value)
  if (read.error !== undefined) {
    effects.failure ??= `${link.name}: ${read.error}`
    note(effects, link, 'error', read.error)
    return undefined
  }
  for (const complaint of read.complaints) note(effects, link, 'warning', complaint)
  const { level, type, value } = read.value
  effects.statuses.push({ link, status: { ts: answer.ts, level, type, value } })
  return { ...answer, value: read.value as JsonValue }
}
