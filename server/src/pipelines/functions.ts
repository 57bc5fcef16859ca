import type { SignalData } from '@millrace/insight-sdk/protocol'
import type { Generations } from '../assets/index.ts'
import type { Database } from '../database/index.ts'
import type { Consumer, LoggedEntry } from '../eventlog/index.ts'
import type { NewJob } from '../jobs/index.ts'
import { type Clock, limits } from '../kernel/index.ts'
import { type BatchValues, createLastValues } from './last-values.ts'
import { createGraphCache, type GraphCache } from './links/graph-cache.ts'
import { type AssetGraph, neededLast, type RunLink } from './links/graphs.ts'
import { failureOf } from './notes.ts'
import { mapFeeds, readPoints, type SignalPoint } from './points.ts'
import { arrive, type Effects, type Fresh, noEffects, runLinks } from './run.ts'
import { callBuiltin } from './runs/call-function.ts'
import { deferredValues, type RunInput } from './runs/run-input.ts'
import type { Runs } from './runs/runs.ts'
import { type StoreEffectsOptions, storeEffects } from './store-effects.ts'

export type FunctionsOptions = StoreEffectsOptions & {
  readonly database: Database
  readonly runs: Pick<Runs, 'enqueue' | 'wake'>
  readonly clock: Clock
}

type Prepared = { readonly ran: readonly Ran[]; readonly last: BatchValues }
type Ran = {
  readonly entry: LoggedEntry
  readonly part: number
  readonly effects: Effects
  /** The runs of deferred links, one for each asset. */
  readonly jobs: readonly NewJob<RunInput>[]
}

/**
 * The consumer that runs the linked functions, in the order of the entries. Functions that need no
 * module run in the batch; the links of modules, and what they feed, become a job of the asset in
 * the transaction of the cursor, so that no module delays the batch. It derives the points of the
 * inlets itself, so it needs nothing of the consumer `values`.
 */
export function functionsConsumer(options: FunctionsOptions): Consumer<Prepared> {
  const { assets, clock, runs } = options
  const remembered = createLastValues(assets, clock)
  const graphCache = createGraphCache(options.database, assets)
  return {
    name: 'functions',
    batchMax: limits.functionsBatchMax,
    async prepare(entries) {
      const last = remembered.begin()
      const writes = entries.filter((entry) => entry.kind === 'write')
      // What is cached of their businesses is right while these are the same.
      const generations = await assets.generations(writes)
      const work = await pointsOf(options, writes, generations)
      const graphs = await graphsOf(graphCache, work, last, generations)
      const ran: Ran[] = []
      for (const one of work) ran.push(await runEntry({ clock, last }, one, graphs))
      return { ran, last }
    },
    isEmpty: ({ ran }) => ran.every(({ effects, jobs }) => effects.calls + jobs.length === 0),
    async apply(transaction, { ran }) {
      await storeEffects(options, transaction, ran)
      const jobs = ran.flatMap((one) => one.jobs)
      if (jobs.length > 0) await runs.enqueue(transaction, jobs)
      return ran.flatMap(({ entry, effects: { failed } }) => {
        const reason = failed[0] && `${failed[0].link.name}: ${failed[0].fault.detail}`
        return failureOf(entry, reason)
      })
    },
    committed({ ran, last }) {
      last.keep()
      if (ran.some(({ jobs }) => jobs.length > 0)) runs.wake()
    },
  }
}

type Work = { readonly entry: LoggedEntry; readonly points: readonly SignalPoint[] }

async function pointsOf(
  { assets }: FunctionsOptions,
  writes: readonly LoggedEntry[],
  generations: Generations,
): Promise<Work[]> {
  if (writes.length === 0) return []
  const feeds = mapFeeds(await assets.feeds(writes, generations))
  const work = writes.map((entry) => ({ entry, points: readPoints(entry, feeds).points }))
  return work.filter(({ points }) => points.length > 0)
}

/** The graphs of the assets that have new points, by asset; and their last values. */
async function graphsOf(
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
    const needed = [...graphs.values()].flatMap(({ direct, deferred, deferredSignals }) =>
      neededLast([...direct, ...deferred]).filter((id) => !deferredSignals.has(id)),
    )
    if (needed.length > 0) await last.load(businessId, [...new Set(needed)], first)
    for (const [assetId, graph] of graphs) all.set(assetId, graph)
  }
  return all
}

type EntryOptions = { readonly clock: Clock; readonly last: BatchValues }

async function runEntry(
  { clock, last }: EntryOptions,
  { entry, points }: Work,
  graphs: ReadonlyMap<string, AssetGraph>,
): Promise<Ran> {
  const effects = noEffects()
  const jobs: NewJob<RunInput>[] = []
  const call = async (link: RunLink, data: readonly SignalData[]) => callBuiltin(last, link, data)
  for (const [assetId, own] of Map.groupBy(points, ({ signal }) => signal.assetId)) {
    const graph = graphs.get(assetId)
    if (graph === undefined) continue
    const fresh: Fresh = new Map()
    for (const { signal, ts, value, origin } of own) {
      const ttl = limits.pipelineStepsMax
      arrive({ last }, fresh, signal.id, { ts, value, origin, generated: origin, ttl })
    }
    await runLinks({ clock, last, call }, graph.direct, fresh, effects)
    const values = deferredValues(graph, fresh, last)
    if (values === undefined) continue
    const { businessId, part } = entry
    const input = { kind: 'run', ...values } as const
    jobs.push({ businessId, tenant: businessId, key: assetId, part, input })
  }
  return { entry, part: entry.part, effects, jobs }
}
