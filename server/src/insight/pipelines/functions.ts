import type { SignalData } from '@millrace/insight-sdk/protocol'
import type { Clock } from '../../foundation/kernel/index.ts'
import { type Consumer, type LoggedEntry, reportedPoints } from '../../log/eventlog/index.ts'
import type { NewJob } from '../../log/jobs/index.ts'
import { wholeView } from '../../people/groups/index.ts'
import type { Generations } from '../assets/index.ts'
import type { LinkState } from './builtin/registry.ts'
import { holdLinkStates, statefulLinks } from './builtin/states.ts'
import { type BatchValues, createLastValues } from './last-values.ts'
import { pipelineLimits } from './limits.ts'
import type { GraphCache } from './links/graph-cache.ts'
import type { AssetGraph, RunLink } from './links/graphs.ts'
import { toFailures } from './notes.ts'
import { findTargets, readPoints, type SignalPoint } from './points.ts'
import { arrive, type Effects, type Fresh, noEffects, runBuiltins } from './run.ts'
import { callBuiltin } from './runs/call-function.ts'
import {
  beginInline,
  type InlineBatch,
  type InlineOptions,
  type InlineResult,
} from './runs/inline/inline-runs.ts'
import { deferredValues, type RunInput, type RunValues } from './runs/run-input.ts'
import type { Runs } from './runs/runs.ts'
import { type StoreEffectsOptions, storeEffects } from './store-effects.ts'

export type FunctionsOptions = StoreEffectsOptions &
  InlineOptions & {
    readonly runs: Pick<Runs, 'begin' | 'statements'>
    readonly graphCache: GraphCache
  }

type BegunRuns = Awaited<ReturnType<Runs['begin']>>

type Prepared = {
  /** The links that keep a state: their asset's functions run in the transaction. */
  readonly stateful: readonly RunLink[]
  readonly run: (states: States) => BatchRun
  /** Undefined until the functions have run. */
  done: BatchRun | undefined
  /** Runs what needs modules and is quick. */
  readonly inline: InlineBatch
  inlined: InlineResult | undefined
  /** The jobs that it has stored, which are to run after the commit. */
  begun: BegunRuns | undefined
}

/** The results of a batch, and the last values after it. */
type BatchRun = { readonly ran: readonly Ran[]; readonly last: BatchValues }

/** An entry with values of assets that have links. */
type Ran = {
  readonly entry: LoggedEntry
  readonly part: number
  readonly effects: Effects
  /** The runs of deferred links, one for each asset. */
  readonly jobs: readonly NewJob<RunInput>[]
}

/**
 * The consumer that runs the linked functions, in the order of the entries. Functions that need no
 * module run in the batch, and so do the links of modules that answer quickly (`InlineBatch`).
 * Other links that need modules, and all that they feed, become a job of the asset in the
 * transaction of the cursor, so that no module delays the batch. Modules are called in that
 * transaction, when the cursor is locked: of several processes with the same entries one calls
 * them. It derives the points of the inlets itself, so it needs nothing of the consumer `values`.
 * If a function keeps a state, all of the batch runs in that transaction, in which nobody else
 * changes the state.
 */
export function functionsConsumer(options: FunctionsOptions): Consumer<Prepared> {
  const { assets, clock, runs, graphCache } = options
  const { history } = assets
  const latest = (businessId: string, signalIds: readonly string[]) =>
    assets.lastValues(wholeView(businessId), signalIds)
  const remembered = createLastValues({ history, latest }, clock)
  return {
    name: 'functions',
    acrossPartitions: true,
    batchMax: pipelineLimits.functionsBatchMax,
    batchMost: () => options.batchSize.most,
    async prepare(entries) {
      const last = remembered.begin()
      const writes = entries.filter((entry) => {
        return entry.kind === 'values' || reportedPoints(entry).length > 0
      })
      // The cache of their businesses is right while these are the same.
      const generations = await assets.generations(writes)
      const work = await findPoints(options, writes, generations)
      const graphs = await loadGraphs(graphCache, work, last, generations)
      const stateful = statefulLinks([...graphs.values()].flatMap(({ direct }) => direct))
      const run = (states: States) => {
        const options = { clock, last: last.fork(), states, generations }
        return runBatch(options, work, graphs)
      }
      const done = stateful.length === 0 ? run(new Map()) : undefined
      const inline = await beginInline(options, graphs.values())
      return { stateful, run, done, inline, inlined: undefined, begun: undefined }
    },
    isEmpty: ({ done }) => done?.ran.every(isWithoutEffects) ?? false,
    async apply(transaction, prepared) {
      const { stateful, run } = prepared
      // A transaction that lost a race begins again, with what another one has left.
      if (stateful.length > 0) prepared.done = run(await holdLinkStates(transaction, stateful))
      const { ran = [] } = prepared.done ?? {}
      const inlined = await runInline(prepared, ran)
      const stored = await storeEffects(options, transaction, [...ran, ...inlined.runs])
      const jobs = [...inlined.jobs, ...stored.jobs]
      // The transaction may run again.
      prepared.begun?.failed()
      prepared.begun = jobs.length > 0 ? await runs.begin(transaction, jobs) : undefined
      await transaction.together([
        ...stored.last,
        ...(prepared.begun?.statements ?? []),
        ...runs.statements(inlined.waiting),
      ])
      return ran.flatMap(({ entry, effects: { failed } }) => {
        const reason = failed[0] && `${failed[0].link.name}: ${failed[0].fault.detail}`
        return toFailures(entry, reason)
      })
    },
    committed({ done, begun, inline }) {
      done?.last.keep()
      inline.release()
      begun?.committed()
    },
    failed({ begun, inline }) {
      inline.abandon()
      inline.release()
      begun?.failed()
    },
    dropped: ({ inline }) => inline.release(),
  }
}

/** Functions that keep a state may have other values if the transaction runs again. */
async function runInline(prepared: Prepared, ran: readonly Ran[]): Promise<InlineResult> {
  const { stateful, inline, inlined } = prepared
  if (inlined !== undefined && stateful.length > 0) {
    inline.abandon()
    inline.release()
  }
  if (inlined === undefined || stateful.length > 0) {
    prepared.inlined = await inline.run(ran.flatMap((one) => one.jobs))
  }
  return prepared.inlined ?? { runs: [], jobs: [], waiting: [] }
}

function isWithoutEffects({ effects, jobs }: Ran): boolean {
  return effects.calls + jobs.length === 0
}

type Work = { readonly entry: LoggedEntry; readonly points: readonly SignalPoint[] }

async function findPoints(
  { assets }: FunctionsOptions,
  writes: readonly LoggedEntry[],
  generations: Generations,
): Promise<Work[]> {
  if (writes.length === 0) return []
  const targets = await findTargets(assets, writes, generations)
  const work = writes.map((entry) => ({ entry, points: readPoints(entry, targets).points }))
  return work.filter(({ points }) => points.length > 0)
}

/** The graphs of the assets that have new points, by asset; and their last values. */
async function loadGraphs(
  graphCache: GraphCache,
  work: readonly Work[],
  last: BatchValues,
  generations: Generations,
): Promise<ReadonlyMap<string, AssetGraph>> {
  const points = work.flatMap((one) => one.points)
  const all = new Map<string, AssetGraph>()
  for (const [businessId, those] of Map.groupBy(points, ({ signal }) => signal.businessId)) {
    const assetIds = [...new Set(those.map(({ signal }) => signal.assetId))]
    const first = those.reduce((least, { ts }) => Math.min(least, ts), Number.MAX_SAFE_INTEGER)
    const graphs = await graphCache(businessId, assetIds, generations)
    const needed = [...graphs.values()].flatMap(({ needed }) => needed)
    if (needed.length > 0) await last.load(businessId, [...new Set(needed)], first)
    for (const [assetId, graph] of graphs) all.set(assetId, graph)
  }
  return all
}

type States = Map<string, LinkState>
type BatchOptions = {
  readonly clock: Clock
  readonly last: BatchValues
  readonly states: States
  readonly generations: Generations
}

/** Runs the functions of all entries, in their order. */
function runBatch(
  options: BatchOptions,
  work: readonly Work[],
  graphs: ReadonlyMap<string, AssetGraph>,
): BatchRun {
  const ran = work.flatMap((one) => runEntry(options, one, graphs) ?? [])
  return { ran, last: options.last }
}

/** @returns undefined if no asset of the entry has links. */
function runEntry(
  options: BatchOptions,
  { entry, points }: Work,
  graphs: ReadonlyMap<string, AssetGraph>,
): Ran | undefined {
  const { businessId, part, seq } = entry
  const generation = options.generations.get(businessId) ?? 0
  const jobs: NewJob<RunInput>[] = []
  let effects: Effects | undefined
  for (const [assetId, own] of byAsset(points)) {
    const graph = graphs.get(assetId)
    if (graph === undefined) continue
    effects ??= noEffects()
    const values = runAsset(options, graph, own, effects)
    if (values === undefined) continue
    const input = { kind: 'run', seq, generation, ...values } as const
    jobs.push({ businessId, tenant: businessId, key: assetId, part, input })
  }
  return effects === undefined ? undefined : { entry, part, effects, jobs }
}

/** The points of each asset; nearly all entries are of one. */
function byAsset(points: readonly SignalPoint[]): Iterable<[string, readonly SignalPoint[]]> {
  const assetId = points[0]?.signal.assetId ?? ''
  const isOne = points.every(({ signal }) => signal.assetId === assetId)
  return isOne ? [[assetId, points]] : Map.groupBy(points, ({ signal }) => signal.assetId)
}

/** Runs the built-in functions of an asset. @returns what its other links begin with. */
function runAsset(
  { clock, last, states }: BatchOptions,
  graph: AssetGraph,
  points: readonly SignalPoint[],
  effects: Effects,
): RunValues | undefined {
  const fresh: Fresh = new Map()
  for (const { signal, ts, value, origin } of points) {
    const ttl = pipelineLimits.pipelineStepsMax
    arrive({ last }, fresh, signal.id, { ts, value, origin, generated: origin, ttl })
  }
  const isNew = (signalId: string) => fresh.has(signalId)
  const context = { clock, last, states, effects, isNew }
  const call = (link: RunLink, data: readonly SignalData[]) => callBuiltin(context, link, data)
  runBuiltins({ clock, last, call }, graph.direct, fresh, effects)
  return deferredValues(graph, fresh, last)
}
