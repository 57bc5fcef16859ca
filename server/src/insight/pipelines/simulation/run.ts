import { setImmediate as turn } from 'node:timers/promises'
import { readStatus } from '@millrace/insight-sdk/protocol'
import type { Json } from '../../../foundation/kernel/index.ts'
import type { NewStatus, Value } from '../../assets/index.ts'
import type { LinkState } from '../builtin/registry.ts'
import { builtinId } from '../builtin/registry.ts'
import type { Last } from '../last-values.ts'
import { pipelineLimits } from '../limits.ts'
import type { RunLink } from '../links/graphs.ts'
import { arrive, type Effects, type Fresh, noEffects, runLinks } from '../run.ts'
import { callBuiltin } from '../runs/call-function.ts'
import type { SimulatedCalls } from './calls.ts'
import type { SimulatedGraph } from './graph.ts'
import type { RecordedEntry, Recording } from './recording.ts'
import type { SimulatedFailure, SimulatedLevel, SimulatedPipeline } from './schema.ts'

/** All that a pipeline makes of a recording, before it is shortened to be shown. */
export type PipelineRun = {
  readonly graph: SimulatedGraph
  /** By signal id and time. */
  readonly values: ReadonlyMap<string, ReadonlyMap<number, Json>>
  /** By the id of the rule's link. */
  readonly levels: ReadonlyMap<string, readonly SimulatedLevel[]>
  /** By the id of the action's link. */
  readonly actions: ReadonlyMap<string, readonly number[]>
  readonly failures: readonly SimulatedFailure[]
}

/**
 * Runs recorded values through a pipeline, in memory and by the clock of the recording: the same
 * recording and the same pipeline give the same result, if the modules that are called give the
 * same answers. The outlets of other modules have what was recorded. No action runs.
 */
export async function runRecording(
  graph: SimulatedGraph,
  recording: Recording,
  calls: Pick<SimulatedCalls, 'call'>,
): Promise<PipelineRun> {
  const run = new RecordingRun(graph, recording, calls)
  for (const [at, entry] of recording.entries.entries()) {
    // Thousands of values of one person keep no other request waiting.
    if (at % entriesATurn === 0) await turn()
    await run.take(entry)
  }
  return run
}

const entriesATurn = 200

class RecordingRun implements PipelineRun {
  readonly graph: SimulatedGraph
  readonly values = new Map<string, Map<number, Json>>()
  readonly levels = new Map<string, SimulatedLevel[]>()
  readonly actions = new Map<string, number[]>()
  readonly #links: readonly RunLink[]
  readonly #calls: Pick<SimulatedCalls, 'call'>
  /** Rules that are not computed, by the signal of their status: what was recorded of it counts. */
  readonly #recordedRules: ReadonlyMap<string, RunLink>
  readonly #ids: ReadonlyMap<number, string>
  readonly #last = new Map<string, Last>()
  readonly #states = new Map<string, LinkState>()
  readonly #failed = new Map<string, { link: RunLink; count: number; reason: string }>()

  constructor(graph: SimulatedGraph, { before }: Recording, calls: Pick<SimulatedCalls, 'call'>) {
    this.graph = graph
    this.#calls = calls
    this.#links = graph.links.filter(({ id }) => graph.computed.has(id))
    this.#ids = new Map([...graph.signals.values()].map(({ id, key }) => [key, id]))
    const rules = graph.links.filter(({ id, insight }) => {
      return !graph.computed.has(id) && insight.type === 'rule'
    })
    this.#recordedRules = new Map(rules.map((link) => [link.targets.get(0)?.id ?? '', link]))
    for (const [id, value] of before) this.#last.set(id, value)
  }

  get failures(): SimulatedFailure[] {
    return [...this.#failed.values()].map(({ link: { id: linkId, name }, count, reason }) => {
      return { linkId, name, count, reason }
    })
  }

  async take({ ts, values }: RecordedEntry): Promise<void> {
    const fresh: Fresh = new Map()
    const last = { get: (id: string) => this.#last.get(id), take: this.#take }
    const ttl = pipelineLimits.pipelineStepsMax
    for (const [id, value] of values) {
      arrive({ last }, fresh, id, { ts, value, origin: id, generated: id, ttl })
      const rule = this.#recordedRules.get(id)
      if (rule !== undefined) this.#takeStatus(rule, ts, value)
    }
    const effects = noEffects()
    const clock = { nowUs: () => ts, nowMs: () => ts / usPerMs, elapsedMs: () => ts / usPerMs }
    const isNew = (id: string) => fresh.has(id)
    const context = { clock, last, states: this.#states, effects, isNew }
    const call = async (link: RunLink, data: Parameters<typeof callBuiltin>[2]) =>
      link.moduleId === builtinId ? callBuiltin(context, link, data) : this.#calls.call(link, data)
    await runLinks({ clock, last, call }, this.#links, fresh, effects)
    this.#absorb(effects)
  }

  readonly #take = (id: string, value: Last) => {
    const before = this.#last.get(id)
    if (before === undefined || before.ts <= value.ts) this.#last.set(id, value)
  }

  #absorb({ values, statuses, failed }: Effects): void {
    for (const { key, ts, value } of values) {
      const id = this.#ids.get(key) ?? ''
      const own = this.values.get(id) ?? new Map<number, Json>()
      this.values.set(id, own.set(ts, value))
    }
    for (const { link, status } of statuses) this.#changeLevel(link, status)
    for (const { link, fault } of failed) {
      const one = this.#failed.get(link.id) ?? { link, count: 0, reason: fault.detail }
      one.count += 1
      this.#failed.set(link.id, one)
    }
  }

  #takeStatus(rule: RunLink, ts: number, value: Value['value']): void {
    const read = readStatus(value)
    if (read.error !== undefined) return
    const { level, type, value: detail } = read.value
    this.#changeLevel(rule, { ts, level, type, value: detail })
  }

  #changeLevel(link: RunLink, { ts, level, type = null, value = null }: NewStatus): void {
    const changes = this.levels.get(link.id) ?? []
    const previous = changes.at(-1)?.level ?? 0
    if (previous === level) return
    changes.push({ ts, level, previous, type, value })
    this.levels.set(link.id, changes)
    for (const { id } of link.actions) {
      const times = this.actions.get(id) ?? []
      times.push(ts)
      this.actions.set(id, times)
    }
  }
}

const usPerMs = 1_000

/** A run as it is shown: its numbers, and the beginnings of its lists. */
export function shownRun({ graph, values, levels, actions, failures }: PipelineRun) {
  const most = pipelineLimits.simulationShownMax
  const rules = graph.links.filter(({ insight }) => insight.type === 'rule')
  const outlets = graph.links.flatMap((link) => (graph.computed.has(link.id) ? link.outlets : []))
  const shown: SimulatedPipeline = {
    signals: outlets.map((id) => {
      return { id, name: graph.signals.get(id)?.name ?? '', count: values.get(id)?.size ?? 0 }
    }),
    rules: rules.map(({ id: linkId, name }) => {
      const changes = levels.get(linkId) ?? []
      const fired = changes.filter(({ level, previous }) => level > previous).length
      return { linkId, name, fired, changes: changes.slice(0, most) }
    }),
    actions: graph.actions.map(({ id: linkId, name }) => {
      const at = actions.get(linkId) ?? []
      return { linkId, name, count: at.length, at: at.slice(0, most) }
    }),
    failures,
  }
  return shown
}
