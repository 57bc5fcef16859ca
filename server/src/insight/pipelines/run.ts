import { type JsonValue, readStatus, type SignalData } from '@millrace/insight-sdk/protocol'
import { type Clock, Fault } from '../../foundation/kernel/index.ts'
import { type NewStatus, type NewValue, type Signal, toSignalValue } from '../assets/index.ts'
import type { LinkState } from './builtin/registry.ts'
import type { BatchValues, Last } from './last-values.ts'
import { pipelineLimits } from './limits.ts'
import type { RunLink } from './links/graphs.ts'
import { meets } from './links/holds.ts'
import type { Note } from './notes.ts'
import type { MadeCall } from './store/recorded-runs.ts'

/** A value on its way through an asset's links. */
export type Datum = Pick<SignalData, 'ts' | 'value' | 'origin' | 'generated' | 'tags'> & {
  /** Links that it may still pass through. */
  readonly ttl: number
}

/** The new values of signals, by signal id. */
export type Fresh = Map<string, Datum[]>

/** The result of a function, outlet by outlet, or the reason why there is none. */
export type CallResult =
  | {
      readonly value: readonly (readonly SignalData[])[]
      readonly complaints: readonly string[]
      /** Why values of the answer are lost; the others are used. */
      readonly unusable?: readonly string[] | undefined
    }
  | Fault

export type LinksRunOptions = {
  readonly clock: Clock
  readonly last: Pick<BatchValues, 'get' | 'take'>
  /** Calls a link's function. Throws only what is not the function's doing. */
  readonly call: (link: RunLink, data: readonly SignalData[]) => CallResult | Promise<CallResult>
  /** The data of a call that was made before. */
  readonly given?: (link: RunLink) => readonly SignalData[] | undefined
  /** Returns the outcome of a link in an earlier attempt: it is not run again. */
  readonly earlier?: (link: RunLink) => 'ran' | 'failed' | undefined
}

/** A status that a rule answered. */
export type StatusEffect = {
  readonly link: RunLink
  readonly status: NewStatus
  /** The same as the rule's actions receive it, and the last values of their other inlets. */
  readonly datum: Datum
  readonly last: readonly (readonly [string, Last])[]
}

/** A call that failed: all of it, or a part of its answer. */
type FailedLink = {
  readonly link: RunLink
  readonly fault: Fault
  /** The rest of the answer is used, so what the link feeds has run. */
  readonly isPart?: true
}

/** The results of a run, to be stored. */
export type Effects = {
  readonly values: NewValue[]
  readonly statuses: StatusEffect[]
  readonly notes: Note[]
  /** The states that functions keep now, by link; undefined if none does, as in most entries. */
  states: Map<string, { readonly link: RunLink; readonly state: LinkState }> | undefined
  /** The time that each function took, in microseconds. */
  readonly took: { readonly link: RunLink; readonly us: number }[]
  /** The calls of modules and of actions, by link; undefined if there are none. */
  made: Map<string, MadeCall> | undefined
  /** Number of calls. */
  calls: number
  /** The links that failed, each of which is a line in its asset's log. */
  readonly failed: FailedLink[]
}

/** Each entry of a batch has its own, until the commit: it is small. */
export function noEffects(): Effects {
  return {
    values: [],
    statuses: [],
    notes: [],
    states: undefined,
    took: [],
    made: undefined,
    calls: 0,
    failed: [],
  }
}

/** Adds a value to the new ones. */
export function arrive(
  { last }: Pick<LinksRunOptions, 'last'>,
  fresh: Fresh,
  signalId: string,
  datum: Datum,
): void {
  const those = fresh.get(signalId)
  if (those === undefined) fresh.set(signalId, [datum])
  else those.push(datum)
  last.take(signalId, datum)
}

/**
 * Takes new values through links, each after all that feed it: one call a link, with everything new
 * at its inlets. A call that fails stops its own branch, with all links that it feeds, directly or
 * not; the others go on. A call of which a part of the answer is unusable fails and stops nothing.
 */
export async function runLinks(
  options: LinksRunOptions,
  links: readonly RunLink[],
  fresh: Fresh,
  effects: Effects,
): Promise<void> {
  const walk = new LinksWalk(options, fresh, effects)
  for (const link of links) {
    const data = walk.makeData(link)
    if (data.length === 0) continue
    walk.begin()
    walk.end(link, data, await options.call(link, data))
  }
}

/** The same of functions that answer at once: nothing else runs between them. */
export function runBuiltins(
  options: BuiltinsRunOptions,
  links: readonly RunLink[],
  fresh: Fresh,
  effects: Effects,
): void {
  const walk = new LinksWalk(options, fresh, effects)
  for (const link of links) {
    const data = walk.makeData(link)
    if (data.length === 0) continue
    walk.begin()
    walk.end(link, data, options.call(link, data))
  }
}

type BuiltinsRunOptions = Omit<LinksRunOptions, 'call'> & {
  readonly call: (...call: Parameters<LinksRunOptions['call']>) => CallResult
}

const usPerMs = 1_000

class LinksWalk {
  readonly #options: LinksRunOptions
  readonly #fresh: Fresh
  readonly #effects: Effects
  /** The signals that calls which failed feed, directly or not. */
  #stopped: Set<string> | undefined
  #beganMs = 0

  constructor(options: LinksRunOptions, fresh: Fresh, effects: Effects) {
    this.#options = options
    this.#fresh = fresh
    this.#effects = effects
  }

  /** The data of a link's call; empty if it is not called. */
  makeData(link: RunLink): readonly SignalData[] {
    const earlier = this.#options.earlier?.(link)
    if (earlier === 'ran') return []
    const stopped = this.#stopped
    const isStopped = stopped !== undefined && link.inlets.some((id) => stopped.has(id))
    if (earlier === undefined && !isStopped) {
      return this.#options.given?.(link) ?? gather(link, this.#fresh, this.#options)
    }
    this.#stop(link)
    return []
  }

  begin(): void {
    this.#effects.calls += 1
    this.#beganMs = this.#options.clock.elapsedMs()
  }

  end(link: RunLink, data: readonly SignalData[], result: CallResult): void {
    const effects = this.#effects
    const options = this.#options
    const ms = options.clock.elapsedMs() - this.#beganMs
    effects.took.push({ link, us: Math.round(ms * usPerMs) })
    if (result instanceof Fault) {
      effects.failed.push({ link, fault: result })
      this.#stop(link)
      return
    }
    for (const complaint of result.complaints) note(effects, link, 'warning', complaint)
    const steps: number = pipelineLimits.pipelineStepsMax
    const ttl = data.reduce((least, one) => Math.min(least, one.ttl ?? least), steps)
    const passed = (one: SignalData) => ({ ...one, ttl: Math.min(one.ttl ?? ttl, ttl) - 1 })
    const outlets = result.value.map((answers) => answers.map(passed))
    const unusable = absorb(options, link, outlets, effects, (signal, datum) => {
      arrive(options, this.#fresh, signal.id, datum)
    })
    const fault = toFault([...(result.unusable ?? []), ...unusable])
    if (fault !== undefined) effects.failed.push({ link, fault, isPart: true })
  }

  #stop(link: RunLink): void {
    this.#stopped ??= new Set()
    for (const id of link.outlets) this.#stopped.add(id)
  }
}

/** The failure of a call of whose answer something is unusable. */
function toFault(unusable: readonly string[]): Fault | undefined {
  const [first, ...more] = new Set(unusable)
  if (first === undefined) return undefined
  const others = more.length === 0 ? '' : `; and ${more.length} more of its values are unusable`
  return new Fault('module_failed', `The answer's ${first}${others}.`)
}

function note(effects: Effects, link: RunLink, severity: Note['severity'], words: string): void {
  effects.notes.push(makeNote(link, severity, words))
}

/** A line about a link for its asset's log. */
export function makeNote(link: RunLink, severity: Note['severity'], words: string): Note {
  const { businessId, assetId, name } = link
  return { businessId, assetId, severity, text: `${name}: ${words}` }
}

/**
 * The data of one call: all that is new at the inlets, and for inlets with nothing new their last
 * value. Nothing where nothing is new, where an inlet has never had a value, or where none of its
 * values meets its checks: they are of values as the function receives them.
 */
function gather(
  link: RunLink,
  fresh: Fresh,
  { last, clock }: Pick<LinksRunOptions, 'last' | 'clock'>,
): SignalData[] {
  const arrived = link.inlets.map((signalId) => alive(fresh.get(signalId) ?? []))
  if (arrived.every((data) => data.length === 0)) return []
  const data: SignalData[] = []
  for (const [at, signalId] of link.inlets.entries()) {
    const given = arrived[at]?.length ? arrived[at] : toLast(signalId, last)
    const inlet = link.insight.inlets[at]?.tag || String(at)
    const described = link.received?.get(at)?.tags
    const tags = { ...described, inlet, signal: signalId, asset: link.assetId }
    const those = given
      .map((one) => {
        const value = convertedValue(link, at, one.value)
        return { ...one, value, gts: clock.nowUs(), tags: { ...one.tags, ...tags } }
      })
      .filter((one) => meets(link.checks, 'inlet', at, one))
    if (those.length === 0) return []
    data.push(...those)
  }
  return data
}

/** A value in the unit that an inlet takes. */
export function convertedValue<Value>(
  { received }: Pick<RunLink, 'received'>,
  inlet: number,
  value: Value,
): Value | number {
  const conversion = received?.get(inlet)?.conversion
  return conversion === undefined || typeof value !== 'number' ? value : conversion.convert(value)
}

/** Returns the data that were not passed on too often. */
export function alive(data: readonly Datum[]): readonly Datum[] {
  return data.filter((datum) => datum.ttl > 0)
}

function toLast(signalId: string, last: LinksRunOptions['last']): readonly Datum[] {
  const known = last.get(signalId)
  if (known === undefined) return []
  const { ts, value, origin = signalId } = known
  return [{ ts, value, origin, generated: origin, ttl: pipelineLimits.pipelineStepsMax }]
}

/**
 * Makes a function's answer the new values of its outlets' signals, and of a rule its status.
 * @returns why values of it are unusable
 */
function absorb(
  { last }: Pick<LinksRunOptions, 'last'>,
  link: RunLink,
  outlets: readonly (readonly Datum[])[],
  effects: Effects,
  onValue: (signal: Signal, datum: Datum) => void,
): string[] {
  const unusable: string[] = []
  for (const [at, answers] of outlets.entries()) {
    const target = link.targets.get(at)
    for (const answer of answers) {
      if (!meets(link.checks, 'outlet', at, answer)) continue
      const isStatus = link.insight.type === 'rule' && at === 0
      const datum = isStatus ? judged(link, answer, last, effects) : answer
      if (typeof datum === 'string') unusable.push(`outlet ${at}: ${datum}`)
      if (typeof datum === 'string' || target === undefined) continue
      const read = toSignalValue(target, datum.value)
      if ('complaint' in read) {
        unusable.push(`outlet ${at}: ${read.complaint}`)
        continue
      }
      effects.values.push({ key: target.key, ts: datum.ts, value: read.value })
      onValue(target, { ...datum, value: read.value })
    }
  }
  return unusable
}

/** Takes a rule's answer as a status; returns why it is none. */
function judged(
  link: RunLink,
  answer: Datum,
  last: LinksRunOptions['last'],
  effects: Effects,
): Datum | string {
  const read = readStatus(answer.value)
  if (read.error !== undefined) return read.error
  for (const complaint of read.complaints) note(effects, link, 'warning', complaint)
  const { level, type, category, value } = read.value
  const datum = { ...answer, value: read.value as JsonValue }
  const signalId = link.inlets[0]
  const status = { ts: answer.ts, level, type, category, value, signalId }
  effects.statuses.push({ link, status, datum, last: lastOfActions(link, last) })
  return datum
}

/** The last values of inlets that the status alone does not fill. */
function lastOfActions({ actions }: RunLink, last: LinksRunOptions['last']): StatusEffect['last'] {
  const several = actions.filter(({ inlets }) => inlets.length > 1)
  return several
    .flatMap(({ inlets }) => inlets)
    .flatMap((id) => {
      const known = last.get(id)
      return known === undefined ? [] : [[id, known] as const]
    })
}
