import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../../foundation/database/index.ts'
import { newId } from '../../../../foundation/kernel/index.ts'
import type { JobKey, NewJob } from '../../../../log/jobs/index.ts'
import { builtinId } from '../../builtin/registry.ts'
import { statefulLinks } from '../../builtin/states.ts'
import { pipelineLimits } from '../../limits.ts'
import type { AssetGraph, RunLink } from '../../links/graphs.ts'
import type { CallLimits } from '../../modules/call-limits.ts'
import type { ExternalModules } from '../../modules/external.ts'
import type { Health } from '../../modules/health.ts'
import type { BatchSize, Speed } from '../../modules/speed.ts'
import type { TracedRun } from '../../trace/record.ts'
import type { LoadedAsset } from '../asset-graphs.ts'
import { listCauses, type RunInput, runOfJob } from '../run-input.ts'
import { LinksRun, type RunJobOptions, type RunMemory, type RunOutcome } from '../run-job.ts'
import { joinedEntries } from '../run-together.ts'
import type { Runs } from '../runs.ts'
import type { AssetLocks } from './asset-locks.ts'
import { type AdoptedRuns, AssetRuns, type EntryInput, type Piece } from './asset-runs.ts'

export type InlineOptions = RunJobOptions & {
  readonly database: Pick<Database, 'engine'>
  readonly runs: Pick<Runs, 'pendingKeys'>
  readonly external: Pick<ExternalModules, 'called'>
  readonly health: Pick<Health, 'state'>
  readonly speed: Speed
  readonly callLimits: Pick<CallLimits, 'runSoon'>
  readonly locks: AssetLocks
  readonly adopted: AdoptedRuns
  readonly batchSize: BatchSize
}

/** The results of the runs of a batch, to be stored in its transaction. */
export type InlineResult = {
  readonly runs: readonly TracedRun[]
  /** Jobs that may begin at the commit. */
  readonly jobs: readonly NewJob<RunInput>[]
  /** Jobs that wait, and those behind them; dead letters. */
  readonly waiting: readonly NewJob<RunInput>[]
}

/** The interval at which a batch checks whether answers are late. */
const lookMs = 5
/** Part of the time for calls in which a batch waits for jobs of its assets. */
const waitingPart = 0.5

/**
 * Runs that need modules in the batch of their entries: of assets whose functions answer quickly,
 * and of which no job waits or runs. A call that was not answered in time goes on as a job of its
 * asset, while it is in flight. A batch has its assets until `release`.
 */
export class InlineBatch {
  readonly #options: InlineOptions
  readonly #assets: ReadonlyMap<string, LoadedAsset>
  /** Ids of jobs that take over a run. */
  #adopted: string[] = []
  /** Runs in progress by their assets, which they have until they end. */
  readonly #inProgress = new Map<string, Promise<unknown>>()
  #released = false

  constructor(options: InlineOptions, assets: ReadonlyMap<string, LoadedAsset>) {
    this.#options = options
    this.#assets = assets
  }

  /** Runs what may run of the jobs of entries; the others stay jobs. */
  async run(jobs: readonly NewJob<RunInput>[]): Promise<InlineResult> {
    const all = [...Map.groupBy(jobs, ({ key }) => key ?? '')].map(([assetId, own]) => {
      const loaded = this.#released ? undefined : this.#assets.get(assetId)
      return loaded === undefined ? own : new AssetRuns(loaded, this.#makePieces(loaded, own))
    })
    const running = all.filter((one) => one instanceof AssetRuns)
    if (running.length > 0) await this.#runAll(running)
    const results = all.map((one) => {
      if (one instanceof AssetRuns) return this.#toResult(one)
      return { runs: [], jobs: one, waiting: [] }
    })
    return {
      runs: results.flatMap((one) => one.runs),
      jobs: results.flatMap((one) => one.jobs),
      waiting: results.flatMap((one) => one.waiting),
    }
  }

  /** Lets others run its assets, but those of which a run is in progress. */
  release(): void {
    if (this.#released) return
    this.#released = true
    const { locks } = this.#options
    for (const assetId of this.#assets.keys()) {
      const ended = this.#inProgress.get(assetId)
      if (ended === undefined) locks.free(assetId)
      else void ended.catch(() => {}).finally(() => locks.free(assetId))
    }
  }

  /** No job takes its runs over: it was not stored. */
  abandon(): void {
    for (const id of this.#adopted) this.#options.adopted.take(id)
    this.#adopted = []
  }

  #makePieces({ graph }: LoadedAsset, entries: readonly NewJob<RunInput>[]): Piece[] {
    const { clock, random } = this.#options
    const nowUs = clock.nowUs()
    const inputs = entries.map(({ input }) => input as EntryInput)
    let from = 0
    return joinedEntries(graph, inputs).flatMap(({ input, count }) => {
      const own = entries.slice(from, from + count)
      from += count
      const [first] = own
      if (first === undefined) return []
      const { businessId, tenant, part = 0, key = null } = first
      const times = { attempts: 0, dueAtUs: nowUs, createdAtUs: nowUs }
      const job = { businessId, tenant, part, key, id: newId(random), input, ...times }
      return [{ job, entries: own }]
    })
  }

  async #runAll(running: readonly AssetRuns[]): Promise<void> {
    const { callLimits, batchSize } = this.#options
    const over = new AbortController()
    const waited = { ms: 0 }
    const ended = running.map((asset) => {
      const memory: RunMemory = {}
      const make = ({ job }: Piece) =>
        new LinksRun(this.#options, job, asset.loaded, asset.loaded.graph.deferred, memory)
      return asset.runAll(
        make,
        (run, begin) =>
          callLimits.runSoon(run.businessId, run.modules, async () => begin(), over.signal),
        () => waited.ms,
      )
    })
    const all = Promise.all(ended)
    try {
      await Promise.race([all, this.#watch(running, waited)])
    } finally {
      for (const asset of running) asset.giveUp()
      over.abort()
      batchSize.took(running.length, waited.ms)
    }
  }

  /**
   * Gives up what is late, and at the end of the time all of it. The time for which this process
   * had no CPU does not count: then no module is to blame, and jobs would not be faster.
   */
  async #watch(running: readonly AssetRuns[], waited: { ms: number }): Promise<void> {
    const { clock, speed } = this.#options
    let lastMs = clock.elapsedMs()
    for (let open = running; open.length > 0; ) {
      await pause(lookMs)
      // Answers that came while this process was busy are read first.
      await immediate()
      const nowMs = clock.elapsedMs()
      waited.ms += Math.min(nowMs - lastMs, lookMs * 2)
      lastMs = nowMs
      const isOver = waited.ms >= pipelineLimits.moduleInlineMsMax
      open = open.filter(({ isOver }) => !isOver)
      for (const asset of open) if (isOver || isHopeless(speed, asset, waited.ms)) asset.giveUp()
    }
  }

  #toResult({ ended, left, current, loaded }: AssetRuns): InlineResult {
    const runs: TracedRun[] = []
    const jobs: NewJob<RunInput>[] = []
    const waiting: NewJob<RunInput>[] = []
    for (const { piece, outcome } of ended) {
      const { job, entries } = piece
      const result = 'result' in outcome ? outcome.result : undefined
      if (result !== undefined) {
        const causes = listCauses(job.input)
        runs.push({ part: job.part, causes, effects: result.effects, job: runOfJob(job) })
        waiting.push(...result.failed)
      }
      if (outcome.kind === 'done') jobs.push(...done(entries))
      else {
        waiting.push(again(piece, outcome), ...done(entries.slice(1)))
      }
    }
    const behind = ended.some(({ outcome }) => outcome.kind !== 'done') ? waiting : jobs
    if (current !== undefined) {
      const { piece, ended: inProgress } = current
      this.#adopt(loaded.graph.assetId, piece, inProgress)
      behind.push(asNew(piece), ...done(piece.entries.slice(1)))
    }
    behind.push(...left.flatMap(({ entries }) => entries))
    return { runs, jobs, waiting }
  }

  #adopt(assetId: string, { job }: Piece, ended: Parameters<AdoptedRuns['add']>[1]): void {
    this.#adopted.push(job.id)
    this.#inProgress.set(assetId, ended)
    this.#options.adopted.add(job.id, ended)
  }
}

/** The job of a run, with the id that the run has. */
function asNew({ job }: Piece): NewJob<RunInput> {
  const { id, businessId, tenant, part, key, input } = job
  return { id, businessId, tenant, part, key, input }
}

/** The same after its first attempt. */
function again(piece: Piece, outcome: RunOutcome): NewJob<RunInput> {
  const job = asNew(piece)
  if (outcome.kind !== 'retry') return job
  const { failure, input = job.input } = outcome
  return { ...job, input, first: { kind: 'retry', failure } }
}

/** Jobs that are only counted. */
function done(entries: readonly NewJob<RunInput>[]): NewJob<RunInput>[] {
  return entries.map((job) => ({ ...job, first: { kind: 'done' } }))
}

/** Takes those assets of a batch whose runs may be part of it; to be released. */
export async function beginInline(
  options: InlineOptions,
  graphs: Iterable<AssetGraph>,
): Promise<InlineBatch> {
  const quick = [...graphs].filter((graph) => mayRunInline(options, graph))
  const loaded = new Map<string, LoadedAsset>()
  const byBusiness = Map.groupBy(quick, ({ deferred }) => deferred[0]?.businessId ?? '')
  try {
    await Promise.all(
      [...byBusiness].map(async ([businessId, own]) => {
        const ids = new Set(own.flatMap(({ deferred }) => deferred.map(({ moduleId }) => moduleId)))
        const modules = await options.external.called(businessId, [...ids])
        await takeFree(options, businessId, own, (graph) => {
          loaded.set(graph.assetId, { graph, modules })
        })
      }),
    )
  } catch (error) {
    new InlineBatch(options, loaded).release()
    throw error
  }
  return new InlineBatch(options, loaded)
}

/**
 * Takes the assets that have no job. Their functions are quick, so jobs that run, or wait for
 * nothing else, end soon: it waits for them a moment, since what comes behind a job is a job, too.
 */
async function takeFree(
  { database, runs, locks, clock }: InlineOptions,
  businessId: string,
  graphs: readonly AssetGraph[],
  onTaken: (graph: AssetGraph) => void,
): Promise<void> {
  const untilMs = clock.elapsedMs() + pipelineLimits.moduleInlineMsMax * waitingPart
  for (let open = graphs; ; await pause(lookMs * 2)) {
    const taken = open.filter(({ assetId }) => locks.tryTake(assetId))
    const keys = taken.map(({ assetId }) => ({ tenant: businessId, key: assetId }))
    const pending = keys.length === 0 ? [] : await findPending(keys)
    for (const graph of taken) {
      if (pending.some(({ key }) => key === graph.assetId)) locks.free(graph.assetId)
      else onTaken(graph)
    }
    const long = new Set(pending.filter(({ isLong }) => isLong).map(({ key }) => key))
    const busy = new Set(pending.map(({ key }) => key))
    open = open.filter((graph) => {
      return !long.has(graph.assetId) && (busy.has(graph.assetId) || !taken.includes(graph))
    })
    if (open.length === 0 || clock.elapsedMs() >= untilMs) return
  }

  async function findPending(keys: readonly JobKey[]) {
    try {
      return await runs.pendingKeys(database, keys)
    } catch (error) {
      for (const { key } of keys) locks.free(key)
      throw error
    }
  }
}

/**
 * Returns whether all functions of its modules are healthy and quick. A history ends with its
 * entry, which may not be stored yet. On a server other processes may run jobs of the asset
 * meanwhile: then nothing may depend on what another run left.
 */
function mayRunInline(
  { database, health, speed }: Pick<InlineOptions, 'database' | 'health' | 'speed'>,
  { deferred, actions }: AssetGraph,
): boolean {
  if (deferred.length === 0 || pipelineLimits.moduleInlineMsMax === 0) return false
  const isAlone = database.engine === 'embedded'
  if (!isAlone && statefulLinks(deferred).length > 0) return false
  if (!isAlone && [...deferred, ...actions].some(({ inlets }) => inlets.length > 1)) return false
  if (deferred.some(({ insight }) => insight.history)) return false
  return externalLinks(deferred).every((link) => {
    return health.state(link.moduleId).failuresInRow === 0 && speed.isQuick(link)
  })
}

function externalLinks(links: readonly RunLink[]): readonly RunLink[] {
  return links.filter(({ moduleId }) => moduleId !== builtinId)
}

/** Returns whether an answer that it waits for is late, or would be. */
function isHopeless(speed: Speed, { current, loaded }: AssetRuns, waitedMs: number): boolean {
  const functions = externalLinks(loaded.graph.deferred)
  if (current === undefined) return !functions.every((one) => speed.isQuick(one))
  const patienceMs = functions.reduce((sum, one) => sum + speed.patienceMs(one), 0)
  if (waitedMs - current.beganMs <= patienceMs) return false
  const { calling } = current.run
  if (calling !== undefined) speed.late(calling)
  return true
}
