import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, Fault, limits } from '../../../foundation/kernel/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Asset, Assets, Signal, Value } from '../../assets/index.ts'
import { withOutlets } from '../document/document.ts'
import type { FailedCalls } from '../runs/failed-calls.ts'
import { type RecordedRun, readRuns, readTimes } from '../store/recorded-runs.ts'
import { readLinks } from '../store.ts'
import type { Link } from '../types.ts'
import { scriptSteps, stepsOfCalls } from './calls.ts'
import type { Consequences, ScriptCause } from './consequences.ts'
import type { TracePoint, TraceStep, TraceStepOf, ValueTrace } from './schema.ts'
import { findWrite } from './write.ts'

export type Traces = {
  /**
   * Follows a value to the device's write that it came from, and to all that it led to. It reads
   * what is stored: history, events, calls, and the event log as far as they are kept.
   * Without a stamp it is the newest value.
   * @throws Fault not_found if the signal has no value with this stamp
   */
  of(view: View, signalId: string, ts?: number): Promise<ValueTrace>
}

export type TracesOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly eventlog: Pick<EventLog, 'connectorEntries'>
  readonly failedCalls: Pick<FailedCalls, 'list'>
  readonly consequences: Consequences
  readonly clock: Clock
}

export function createTraces(options: TracesOptions): Traces {
  const { assets, database } = options
  return {
    async of(view, signalId, given) {
      const { assetId } = await assets.signals.get(view, signalId)
      const ts = given ?? (await assets.lastValues(view, [signalId])).get(signalId)?.ts
      if (ts === undefined) throw new Fault('not_found', 'The signal has no value yet.')
      const asset = await assets.get(view, assetId)
      const signals = await assets.signals.ofAssets(view, [assetId])
      const links = withOutlets(await readLinks(database, view.businessId, [assetId]), signals)
      return new Tracing(options, { view, asset, signals, links, ts }).trace(signalId)
    },
  }
}

type Traced = {
  readonly view: View
  readonly asset: Asset
  readonly signals: readonly Signal[]
  readonly links: readonly Link[]
  readonly ts: number
}

/** The microseconds of functions by link, and the jobs that had values of the traced time. */
type Ran = { readonly times: ReadonlyMap<string, number>; readonly runs: readonly RecordedRun[] }

class Tracing {
  readonly #options: TracesOptions
  readonly #traced: Traced
  readonly #signals: ReadonlyMap<string, Signal>
  readonly #notes: string[] = []
  /** The values at the time of the trace, or the last ones before it, by signal. */
  readonly #values = new Map<string, Value | undefined>()

  constructor(options: TracesOptions, traced: Traced) {
    this.#options = options
    this.#traced = traced
    this.#signals = new Map(traced.signals.map((signal) => [signal.id, signal]))
  }

  async trace(signalId: string): Promise<ValueTrace> {
    const { ts, asset } = this.#traced
    const value = await this.#point(signalId)
    if (value?.ts !== ts) {
      throw new Fault('not_found', `The signal has no value with the stamp ${ts}.`)
    }
    const before = await this.#before(signalId)
    const after = await this.#after(signalId)
    const links = [...before.links, ...after]
    const writes = await this.#writes(before.sources)
    const ran = await this.#ran(writes)
    const steps: TraceStep[] = [...writes]
    for (const { at, part, seq } of writes)
      steps.push(...(await this.#scripts('write', { at, part, seq })))
    const actions = links.filter(({ insight }) => insight.type === 'action')
    for (const link of links) {
      steps.push(await this.#makeStep(link, ran))
      if (!actions.includes(link)) steps.push(...(await this.#calls(link, ran)))
    }
    for (const { eventId, ...status } of await this.#statuses(links)) {
      steps.push(status, ...(await this.#scripts('status', { at: status.ts, eventId })))
    }
    for (const action of actions) steps.push(...(await this.#calls(action, ran)))
    steps.push(...(await this.#failures(links)))
    return { assetId: asset.id, value, steps, notes: this.#notes }
  }

  /** The links that made a value, in the order in which they ran, and where they began. */
  async #before(signalId: string): Promise<{ links: Link[]; sources: Signal[] }> {
    const links: Link[] = []
    const sources = new Map<string, Signal>()
    const walk = async (id: string): Promise<void> => {
      const maker = this.#traced.links.find(({ outlets }) => outlets.includes(id))
      const signal = this.#signals.get(id)
      if (maker === undefined) {
        if (signal !== undefined) sources.set(id, signal)
        return
      }
      if (links.includes(maker)) return
      for (const inlet of maker.inlets) if (await this.#isNew(inlet)) await walk(inlet)
      links.push(maker)
    }
    await walk(signalId)
    return { links, sources: [...sources.values()] }
  }

  /** The links that a value led to: those that it feeds, and those that their outlets feed. */
  async #after(signalId: string): Promise<Link[]> {
    const found: Link[] = []
    const waiting = [signalId]
    for (const id of waiting) {
      for (const link of this.#traced.links) {
        if (!link.inlets.includes(id) || found.includes(link)) continue
        found.push(link)
        for (const outlet of link.outlets) if (await this.#isNew(outlet)) waiting.push(outlet)
      }
    }
    return found
  }

  async #isNew(signalId: string): Promise<boolean> {
    return (await this.#point(signalId))?.ts === this.#traced.ts
  }

  async #point(signalId: string): Promise<TracePoint | undefined> {
    const { ts, view } = this.#traced
    const signal = this.#signals.get(signalId)
    if (signal === undefined) return undefined
    if (!this.#values.has(signalId)) {
      const range = { to: ts + 1, limit: 1 }
      const [last] = await this.#options.assets.history(view, signalId, range)
      this.#values.set(signalId, last)
    }
    const value = this.#values.get(signalId)
    return value && { signalId, name: signal.name, ts: value.ts, value: value.value }
  }

  async #points(signalIds: readonly string[], isNew: boolean): Promise<TracePoint[]> {
    const points: TracePoint[] = []
    for (const id of signalIds) {
      const point = await this.#point(id)
      if (point !== undefined && (!isNew || point.ts === this.#traced.ts)) points.push(point)
    }
    return points
  }

  async #makeStep(
    { id, name, moduleId, functionId, inlets, outlets }: Link,
    { times, runs }: Ran,
  ): Promise<TraceStep> {
    const inputs = await this.#points(inlets, false)
    const outputs = await this.#points(outlets, true)
    const last = runs.findLast(({ functions }) => functions.some(({ link }) => link === id))
    const us = last?.functions.find(({ link }) => link === id)?.us ?? times.get(id) ?? null
    return { kind: 'function', linkId: id, name, moduleId, functionId, inputs, outputs, us }
  }

  /** Reads the times of the functions that ran with these writes, and the jobs of the asset. */
  async #ran(writes: readonly TraceStepOf<'write'>[]): Promise<Ran> {
    const { database } = this.#options
    const { view, asset, ts } = this.#traced
    const times = new Map<string, number>()
    for (const write of writes) {
      for (const one of await readTimes(database, view.businessId, write)) times.set(...one)
    }
    return { times, runs: await readRuns(database, view.businessId, asset.id, ts) }
  }

  #calls(link: Link, { runs }: Ran): Promise<TraceStep[]> {
    return stepsOfCalls(this.#options.consequences, link, runs)
  }

  #scripts(cause: TraceStepOf<'script_call'>['cause'], of: ScriptCause): Promise<TraceStep[]> {
    return scriptSteps(this.#options.consequences, this.#traced.view.businessId, cause, of)
  }

  async #writes(sources: readonly Signal[]): Promise<TraceStepOf<'write'>[]> {
    const { eventlog, clock } = this.#options
    const { asset, ts } = this.#traced
    const writes: TraceStepOf<'write'>[] = []
    for (const signal of sources) {
      const write = await findWrite(eventlog, signal, asset, ts, clock.nowUs())
      if (write !== undefined) writes.push(write)
      else this.#notes.push(`"${signal.name}": its write is not in the event log any more.`)
    }
    return writes
  }

  /** The changes of level that these rules made of it. */
  async #statuses(
    links: readonly Link[],
  ): Promise<(TraceStepOf<'status'> & { readonly eventId: string })[]> {
    const { view, asset } = this.#traced
    const page = { limit: limits.pageMax }
    const events = await this.#options.assets.events(view, asset.id, page)
    return events.flatMap(({ id: eventId, ruleId, ts, level, previous }) => {
      const rule = links.find(({ id }) => id === ruleId)
      if (rule === undefined || ts !== this.#traced.ts) return []
      const [status = ''] = rule.outlets
      const actions = this.#traced.links
        .filter(({ insight, inlets }) => insight.type === 'action' && inlets.includes(status))
        .map(({ id: linkId, name }) => ({ linkId, name }))
      const change = { kind: 'status' as const, ts, level, previous, actions }
      return [{ eventId, linkId: rule.id, name: rule.name, ...change }]
    })
  }

  /** Calls of these links with data of this time that failed. */
  async #failures(links: readonly Link[]): Promise<TraceStepOf<'failed_call'>[]> {
    const { view } = this.#traced
    const { calls } = await this.#options.failedCalls.list(view, { limit: limits.pageMax })
    return calls.flatMap(({ id, linkId, request, failedAt, error: { reason } }) => {
      const known = links.find((one) => one.id === linkId)
      const data = request !== null && 'data' in request ? request.data : []
      if (known === undefined || !data.some(({ ts }) => ts === this.#traced.ts)) return []
      return [
        { kind: 'failed_call' as const, id, linkId: known.id, name: known.name, failedAt, reason },
      ]
    })
  }
}
