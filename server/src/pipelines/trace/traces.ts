import type { Asset, Assets, Signal, Value } from '../../assets/index.ts'
import type { Database } from '../../database/index.ts'
import type { EventLog } from '../../eventlog/index.ts'
import type { View } from '../../groups/index.ts'
import { type Clock, Fault, limits } from '../../kernel/index.ts'
import { withOutlets } from '../document/document.ts'
import type { FailedCalls } from '../runs/failed-calls.ts'
import { readLinks } from '../store.ts'
import type { Link } from '../types.ts'
import type { TraceFailure, TracePoint, TraceStatus, TraceStep, ValueTrace } from './types.ts'
import { findWrite } from './write.ts'

export type Traces = {
  /**
   * Follows a value to the device's write that it came from, and to all that it led to. It reads
   * what is stored: history, events, failed calls, and the event log as far as that is kept.
   * @throws Fault not_found if the signal has no value with this stamp
   */
  of(view: View, signalId: string, ts: number): Promise<ValueTrace>
}

export type TracesOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly eventlog: Pick<EventLog, 'connectorEntries'>
  readonly failedCalls: Pick<FailedCalls, 'list'>
  readonly clock: Clock
}

export function createTraces(options: TracesOptions): Traces {
  const { assets, database } = options
  return {
    async of(view, signalId, ts) {
      const { assetId } = await assets.signals.get(view, signalId)
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
    const steps: TraceStep[] = [...(await this.#writes(before.sources))]
    for (const link of links) steps.push(await this.#functionOf(link))
    steps.push(...(await this.#statuses(links)), ...(await this.#failures(links)))
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

  async #functionOf({ id, name, moduleId, functionId, inlets, outlets }: Link): Promise<TraceStep> {
    const inputs = await this.#points(inlets, false)
    const outputs = await this.#points(outlets, true)
    return { kind: 'function', linkId: id, name, moduleId, functionId, inputs, outputs }
  }

  async #writes(sources: readonly Signal[]): Promise<TraceStep[]> {
    const { eventlog, clock } = this.#options
    const { asset, ts } = this.#traced
    const writes: TraceStep[] = []
    for (const signal of sources) {
      const write = await findWrite(eventlog, signal, asset, ts, clock.nowUs())
      if (write !== undefined) writes.push(write)
      else this.#notes.push(`"${signal.name}": its write is not in the event log any more.`)
    }
    return writes
  }

  /** The changes of level that these rules made of it. */
  async #statuses(links: readonly Link[]): Promise<TraceStatus[]> {
    const { view, asset } = this.#traced
    const page = { limit: limits.pageMax }
    const events = await this.#options.assets.events(view, asset.id, page)
    return events.flatMap(({ ruleId, ts, level, previous }) => {
      const rule = links.find(({ id }) => id === ruleId)
      if (rule === undefined || ts !== this.#traced.ts) return []
      const [status = ''] = rule.outlets
      const actions = this.#traced.links
        .filter(({ insight, inlets }) => insight.type === 'action' && inlets.includes(status))
        .map(({ id: linkId, name }) => ({ linkId, name }))
      return [{ kind: 'status', linkId: rule.id, name: rule.name, ts, level, previous, actions }]
    })
  }

  /** Calls of these links with data of this time that failed. */
  async #failures(links: readonly Link[]): Promise<TraceFailure[]> {
    const { view } = this.#traced
    const { calls } = await this.#options.failedCalls.list(view, { limit: limits.pageMax })
    return calls.flatMap(({ id, link, request, failedAt, error: { reason } }) => {
      const known = links.find((one) => one.id === link?.id)
      const data = request !== null && 'data' in request ? request.data : []
      if (known === undefined || !data.some(({ ts }) => ts === this.#traced.ts)) return []
      return [{ kind: 'failed_call', id, linkId: known.id, name: known.name, failedAt, reason }]
    })
  }
}
