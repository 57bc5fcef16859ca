import type { History, HistoryPoint, SignalData } from '@millrace/insight-sdk/protocol'
import type { Assets } from '../assets/index.ts'
import type { Database, Transaction } from '../database/index.ts'
import type { Consumer, EventLog, LoggedEntry } from '../eventlog/index.ts'
import { type Clock, Fault, limits } from '../kernel/index.ts'
import { type BatchValues, createLastValues } from './last-values.ts'
import { builtinId, processBuiltin } from './links/builtin.ts'
import { type AssetGraph, loadGraphs, neededLast, type RunLink } from './links/graphs.ts'
import { argsOf } from './links/links.ts'
import type { ModuleClient } from './modules/client.ts'
import { failureOf, type Notes } from './notes.ts'
import { deviceKey, mapFeeds, readPoints, type SignalPoint } from './points.ts'
import { type CallResult, type Effects, isNothing, noEffects, runGraph } from './run.ts'
import { holdLinks, readModule } from './store.ts'
import type { ExternalModule } from './types.ts'

export type FunctionsOptions = {
  readonly database: Database
  readonly eventlog: Pick<EventLog, 'countStage'>
  readonly assets: Assets
  readonly client: ModuleClient
  readonly notes: Notes
  readonly clock: Clock
}

type Prepared = { readonly ran: readonly Ran[]; readonly last: BatchValues }
type Ran = { readonly entry: LoggedEntry; readonly effects: Effects }

const callsStage = 'functions.calls'

/**
 * The consumer that runs the linked functions: of one device in the order of its entries, of
 * several devices side by side. It derives the points of the inlets itself, so it needs nothing
 * of the consumer `values`.
 */
export function functionsConsumer(options: FunctionsOptions): Consumer<Prepared> {
  const remembered = createLastValues(options.assets, options.clock)
  return {
    name: 'functions',
    batchMax: limits.functionsBatchMax,
    async prepare(entries) {
      const last = remembered.begin()
      const work = await pointsOf(options, entries)
      const graphs = await graphsOf(options, work, last)
      if (graphs.size === 0) return { ran: [], last }
      const modules = new ModuleMemory(options.database)
      const call = (link: RunLink, data: readonly SignalData[]) =>
        callFunction(options, modules, last, link, data)
      const devices = Map.groupBy(work, ({ entry }) => deviceKey(entry))
      const settled = await Promise.allSettled(
        [...devices.values()].map((those) => runDevice(those, graphs, { ...options, last, call })),
      )
      const ran = settled.flatMap((one) => {
        if (one.status === 'rejected') throw one.reason
        return one.value
      })
      return { ran, last }
    },
    isEmpty: ({ ran }) => ran.every(({ effects }) => isNothing(effects)),
    async apply(transaction, { ran }, entries) {
      await store(options, transaction, ran, entries[0]?.part ?? 0)
      return ran.flatMap(({ entry, effects }) => failureOf(entry, effects.failure))
    },
    committed: ({ last }) => last.keep(),
  }
}

type Work = { readonly entry: LoggedEntry; readonly points: readonly SignalPoint[] }

async function pointsOf(
  { assets }: FunctionsOptions,
  entries: readonly LoggedEntry[],
): Promise<Work[]> {
  const writes = entries.filter((entry) => entry.kind === 'write')
  if (writes.length === 0) return []
  const feeds = mapFeeds(await assets.feeds(writes))
  const work = writes.map((entry) => ({ entry, points: readPoints(entry, feeds).points }))
  return work.filter(({ points }) => points.length > 0)
}

/** The graphs of the assets that have new points, by asset; and their last values. */
async function graphsOf(
  { database, assets }: FunctionsOptions,
  work: readonly Work[],
  last: BatchValues,
): Promise<ReadonlyMap<string, AssetGraph>> {
  const points = work.flatMap((one) => one.points)
  const all = new Map<string, AssetGraph>()
  for (const [businessId, those] of Map.groupBy(points, ({ signal }) => signal.businessId)) {
    const assetIds = [...new Set(those.map(({ signal }) => signal.assetId))]
    const first = those.reduce((least, { ts }) => Math.min(least, ts), Number.MAX_SAFE_INTEGER)
    const graphs = await loadGraphs(database, assets, businessId, assetIds)
    const needed = [...graphs.values()].flatMap(neededLast)
    if (needed.length > 0) await last.load(businessId, [...new Set(needed)], first)
    for (const [assetId, graph] of graphs) all.set(assetId, graph)
  }
  return all
}

async function runDevice(
  work: readonly Work[],
  graphs: ReadonlyMap<string, AssetGraph>,
  options: Parameters<typeof runGraph>[0],
): Promise<Ran[]> {
  const ran: Ran[] = []
  for (const { entry, points } of work) {
    const effects = noEffects()
    for (const [assetId, own] of Map.groupBy(points, ({ signal }) => signal.assetId)) {
      const graph = graphs.get(assetId)
      if (graph !== undefined) await runGraph(options, graph, own, effects)
    }
    ran.push({ entry, effects })
  }
  return ran
}

/** One call; what the function or its module did wrong comes back as a value. */
async function callFunction(
  options: FunctionsOptions,
  modules: ModuleMemory,
  last: BatchValues,
  link: RunLink,
  data: readonly SignalData[],
): Promise<CallResult> {
  try {
    if (link.moduleId === builtinId) {
      const previous = last.get(link.targets.get(0)?.id ?? '')?.value
      const call = { data, constants: link.constants, previous }
      return { value: processBuiltin(link.functionId, call), complaints: [] }
    }
    const module = await modules.get(link)
    const history = await historyOf(options, link)
    const request = { id: link.id, data, args: argsOf(link), ...history }
    return await options.client.process(module, link.insight, request)
  } catch (error) {
    if (error instanceof Fault && isTheirs(error)) return error
    throw error
  }
}

/** Returns true if trying the same entry again would fail in the same way. */
function isTheirs({ code }: Fault): boolean {
  return code === 'module_failed' || code === 'address_refused' || code === 'not_found'
}

/** A batch's modules, each read once. */
class ModuleMemory {
  readonly #database: Database
  readonly #known = new Map<string, Promise<ExternalModule | undefined>>()

  constructor(database: Database) {
    this.#database = database
  }

  async get({ businessId, moduleId }: RunLink): Promise<ExternalModule> {
    const reading = this.#known.get(moduleId) ?? readModule(this.#database, businessId, moduleId)
    this.#known.set(moduleId, reading)
    const module = await reading
    if (module === undefined) throw new Fault('not_found', 'Its module is gone.')
    return module
  }
}

/** Past values of the inlets, for functions that ask for them. */
async function historyOf(
  { assets }: FunctionsOptions,
  { insight, businessId, inlets }: RunLink,
): Promise<{ history?: History }> {
  if (!insight.history) return {}
  const history: Record<string, HistoryPoint[]> = {}
  for (const signalId of new Set(inlets)) {
    const range = { limit: limits.moduleHistoryValuesMax, order: 'desc' } as const
    history[signalId] = (await assets.history(businessId, signalId, range)).reverse()
  }
  return { history }
}

async function store(
  { eventlog, assets, notes }: FunctionsOptions,
  transaction: Transaction,
  ran: readonly Ran[],
  part: number,
): Promise<void> {
  const effects = ran.map((one) => one.effects)
  const values = effects.flatMap((one) => one.values)
  if (values.length > 0) await assets.writeValues(transaction, values)
  await storeStatuses(assets, transaction, effects)
  await notes.write(
    transaction,
    effects.flatMap((one) => one.notes),
  )
  const counts = { taken: 0, done: 0, failed: 0 }
  for (const { calls } of effects) {
    counts.taken += calls.taken
    counts.done += calls.done
    counts.failed += calls.failed
  }
  if (counts.taken > 0) await eventlog.countStage(transaction, callsStage, part, counts)
}

/** A status that says the same level as the one before it in the batch would change nothing. */
async function storeStatuses(
  assets: Assets,
  transaction: Transaction,
  effects: readonly Effects[],
): Promise<void> {
  const all = effects.flatMap((one) => one.statuses)
  if (all.length === 0) return
  const byBusiness = Map.groupBy(all, ({ link }) => link.businessId)
  const there = new Set<string>()
  for (const [businessId, those] of byBusiness) {
    const ids = [...new Set(those.map(({ link }) => link.id))]
    for (const id of await holdLinks(transaction, businessId, ids)) there.add(id)
  }
  const levels = new Map<string, number>()
  for (const { link, status } of all) {
    if (!there.has(link.id) || levels.get(link.id) === status.level) continue
    levels.set(link.id, status.level)
    await assets.setStatus(transaction, link.businessId, link.assetId, link.id, status)
  }
}
