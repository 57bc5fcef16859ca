import type { SignalData } from '@millrace/insight-sdk/protocol'
import type { Database } from '../../../foundation/database/index.ts'
import { type Clock, Fault, type Random } from '../../../foundation/kernel/index.ts'
import type { EventLog } from '../../../log/eventlog/index.ts'
import type { Job, JobFailure, JobOutcome, NewJob } from '../../../log/jobs/index.ts'
import { wholeView } from '../../../people/groups/index.ts'
import type { Assets } from '../../assets/index.ts'
import { ModuleAway } from '../../marketplace/index.ts'
import { builtinId, type LinkState } from '../builtin/registry.ts'
import { loadStates } from '../builtin/states.ts'
import { type BatchValues, createLastValues, type StoredValues } from '../last-values.ts'
import { pipelineLimits } from '../limits.ts'
import { withFed } from '../links/graph.ts'
import { neededLast, type RunLink } from '../links/graphs.ts'
import type { CallLimits } from '../modules/call-limits.ts'
import type { ModuleClient } from '../modules/client.ts'
import type { Health } from '../modules/health.ts'
import { type CallResult, type Effects, type Fresh, makeNote, noEffects, runLinks } from '../run.ts'
import type { CalledModule } from '../types.ts'
import { type Acting, runAction } from './act.ts'
import type { AssetGraphs, LoadedAsset } from './asset-graphs.ts'
import { callBuiltin, callModule, makeRequest, newCall } from './call-function.ts'
import { valuesStored } from './history.ts'
import {
  listCauses,
  listTrackingIds,
  makeTrackingId,
  parseAssetId,
  type RunInput,
  type SentCall,
} from './run-input.ts'

/** The time for which such a run is put off. */
const moduleBusyMs = 1_000
/** The age up to which a run takes the links of its asset as they were at its entry. */
const functionRunNewMs = 1_000

/** The results of a run, and the calls of it that failed. */
export type RunResult = { readonly effects: Effects; readonly failed: readonly NewJob<RunInput>[] }

/** The outcome of a job of an asset. */
export type RunOutcome = JobOutcome<RunResult, RunInput>

export type RunJobOptions = {
  readonly database: Database
  readonly assets: Assets
  readonly latest: StoredValues['latest']
  readonly eventlog: Pick<EventLog, 'hasPassed'>
  readonly graphs: AssetGraphs
  readonly client: ModuleClient
  /** For built-in actions. */
  readonly acting: Acting
  readonly health: Pick<Health, 'outageMs'>
  readonly callLimits: Pick<CallLimits, 'run'>
  readonly clock: Clock
  readonly random: Random
}

type LinksRunContext = Pick<
  RunJobOptions,
  'database' | 'assets' | 'latest' | 'client' | 'acting' | 'health' | 'clock'
>

type LinkInput = Exclude<RunInput, { readonly kind: 'notice' | 'setup' }>
type LinkJob = Job<RunInput> & { readonly input: LinkInput }

const usPerMs = 1_000

/**
 * Runs the links of an asset that a job is for. The end of a job, and who acts next:
 * - all calls were answered, or failed for good: the job is done. Each call that failed is a dead
 *   letter of its own, with the links that wait for it.
 * - a module is away for less than `moduleOutageMs`: the job and all of its asset wait, and
 *   the calls of that module are made again.
 * - a call that failed before failed again: it is the same dead letter as before.
 * - values up to its entry are not stored yet, and a function requests past ones: it waits.
 * - a module has too many calls in flight: the job and all of its asset wait a while.
 */
export async function runLinksJob(options: RunJobOptions, job: LinkJob): Promise<RunOutcome> {
  return runLoaded(options, job, await loadAsset(options, job))
}

/** Loads the asset of a job; undefined if it has no links. */
export function loadAsset(
  { graphs, clock }: Pick<RunJobOptions, 'graphs' | 'clock'>,
  { businessId, key, input, createdAtUs }: Job<RunInput>,
): Promise<LoadedAsset | undefined> {
  const isNew = clock.nowUs() - createdAtUs < functionRunNewMs * usPerMs
  const generation = isNew && input.kind === 'run' ? input.generation : undefined
  return graphs.load({ businessId, assetId: parseAssetId(key), generation })
}

/** Runs the links of a job's asset, which is loaded. */
export async function runLoaded(
  options: RunJobOptions,
  job: LinkJob,
  loaded: LoadedAsset | undefined,
): Promise<RunOutcome> {
  const { businessId, input } = job
  const links = loaded === undefined ? [] : pickLinks(loaded, input)
  if (loaded === undefined || links.length === 0) return withoutLinks(input)
  if (!(await hasHistory(options, job, links))) return busy(options.clock)
  const run = new LinksRun(options, job, loaded, links)
  try {
    return await options.callLimits.run(businessId, run.modules, () => run.run())
  } catch (error) {
    if (isOverloaded(error)) return busy(options.clock)
    throw error
  }
}

export function isOverloaded(error: unknown): boolean {
  return error instanceof Fault && error.code === 'overloaded'
}

/** The outcome of a job whose module has too many calls in flight. */
export function busy(clock: Clock): RunOutcome {
  return { kind: 'snooze', untilUs: clock.nowUs() + moduleBusyMs * usPerMs }
}

function pickLinks({ graph }: LoadedAsset, input: LinkInput): readonly RunLink[] {
  const { deferred, actions } = graph
  const action = input.kind === 'run' ? input.action : input.call.link.id
  if (action === undefined) return deferred
  const own = actions.filter(({ id }) => id === action)
  if (own.length > 0 || input.kind === 'run') return own
  const link = deferred.find(({ id }) => id === input.call.link.id)
  return link === undefined ? [] : withFed(deferred, link)
}

/** Returns whether the past values that these links request are stored, as far as the entry. */
async function hasHistory(
  { eventlog }: Pick<RunJobOptions, 'eventlog'>,
  { part, input }: LinkJob,
  links: readonly RunLink[],
): Promise<boolean> {
  if (input.kind !== 'run' || input.seq === undefined) return true
  if (!links.some(({ insight }) => insight.history)) return true
  return valuesStored(eventlog, { part, seq: input.seq })
}

function withoutLinks(input: LinkInput): RunOutcome {
  if (input.kind === 'run') return { kind: 'done' }
  return { kind: 'dead', failure: callFailure(new Fault('not_found', 'The link is gone.')) }
}

export function callFailure({ code, detail }: Fault): JobFailure {
  return { step: 'call', reason: detail, detail: { code } }
}

/** The results that an asset's runs leave to the next one, if they are stored together. */
export type RunMemory = { last?: BatchValues; states?: Map<string, LinkState> }

/** A run of links of an asset. */
export class LinksRun {
  readonly #options: LinksRunContext
  readonly #job: LinkJob
  readonly #loaded: LoadedAsset
  readonly #links: readonly RunLink[]
  readonly #sent = new Map<string, SentCall>()
  readonly #ran = new Set<string>()
  readonly #memory: RunMemory
  /** The link of a module whose answer it waits for. */
  calling: RunLink | undefined

  constructor(
    options: LinksRunContext,
    job: LinkJob,
    loaded: LoadedAsset,
    links: readonly RunLink[],
    memory: RunMemory = {},
  ) {
    this.#memory = memory
    this.#options = options
    this.#job = job
    this.#loaded = loaded
    this.#links = links
    const { input } = job
    const sent = input.kind === 'call' ? [input.call] : (input.earlier?.sent ?? [])
    for (const call of sent) this.#sent.set(call.link.id, call)
  }

  /** The modules that it may call. */
  get modules(): ReadonlySet<CalledModule> {
    const found = this.#links.map(({ moduleId }) => this.#loaded.modules.get(moduleId))
    return new Set(found.filter((module) => module !== undefined))
  }

  get businessId(): string {
    return this.#job.businessId
  }

  async run(): Promise<RunOutcome> {
    const { clock, database } = this.#options
    const { input } = this.#job
    const fresh: Fresh = new Map(input.fresh.map(([id, data]) => [id, [...data]]))
    const last = await this.#loadLast(input)
    this.#memory.states ??= await loadStates(database, this.#links)
    const { states } = this.#memory
    const effects = noEffects()
    const call = async (link: RunLink, data: readonly SignalData[]) => {
      this.#ran.add(link.id)
      const isNew = (signalId: string) => fresh.has(signalId)
      return link.moduleId === builtinId && link.insight.type !== 'action'
        ? callBuiltin({ clock, last, states, effects, isNew }, link, data)
        : this.#call(link, data, isNew, effects)
    }
    const given = ({ id }: RunLink) => this.#sent.get(id)?.request.data
    const earlier = ({ id }: RunLink) => this.#earlier(id)
    await runLinks({ clock, last, call, given, earlier }, this.#links, fresh, effects)
    return this.#outcome(effects, fresh)
  }

  /** A run sees what all before it left; an action and a repeated call, what was at their time. */
  async #loadLast(input: LinkInput) {
    this.#memory.last ??= await this.#readLast(input)
    const { last } = this.#memory
    for (const [id, value] of input.last) last.take(id, value)
    for (const [id, data] of input.fresh) for (const datum of data) last.take(id, datum)
    return last
  }

  async #readLast(input: LinkInput) {
    const { assets, clock, latest } = this.#options
    const { businessId } = this.#job
    const last = createLastValues({ history: assets.history, latest }, clock).begin()
    const { deferredSignals } = this.#loaded.graph
    const isAction = 'action' in input && input.action !== undefined
    const all = neededLast(this.#links)
    const needed = new Set(isAction ? all : all.filter((id) => deferredSignals.has(id)))
    const isLate = isAction || input.kind !== 'run'
    const before = isLate ? this.#latestTs + 1 : Number.MAX_SAFE_INTEGER
    if (needed.size > 0) await last.load(businessId, [...needed], before)
    return last
  }

  get #latestTs(): number {
    const { input } = this.#job
    const sent = input.kind === 'call' ? input.call.request.data : []
    return [...sent, ...input.fresh.flatMap(([, data]) => data)].reduce(
      (most, { ts }) => Math.max(most, ts),
      0,
    )
  }

  async #call(
    link: RunLink,
    data: readonly SignalData[],
    isNew: (signalId: string) => boolean,
    effects: Pick<Effects, 'made'>,
  ): Promise<CallResult> {
    const { acting, assets, client } = this.#options
    const { id, name, moduleId, functionId } = link
    const before = this.#sent.get(id)
    const sent = {
      trackingId: before?.trackingId ?? makeTrackingId(this.#job, id, data),
      tries: (before?.tries ?? 0) + 1,
      link: { id, name, moduleId, functionId },
      request: before?.request ?? (await makeRequest(assets, link, data, isNew)),
    }
    this.#sent.set(id, sent)
    const causes = listTrackingIds(this.#job)
    const call = newCall(sent)
    effects.made ??= new Map()
    effects.made.set(id, call)
    this.calling = link
    const result =
      moduleId === builtinId
        ? await runAction(
            acting,
            await this.#asset(link),
            link,
            { ...call, causes },
            sent.request.data,
          )
        : await callModule(
            client,
            this.#loaded.modules.get(moduleId),
            link,
            { ...sent, causes },
            call,
          )
    this.calling = undefined
    call.reason = result instanceof Fault ? result.detail : null
    return result
  }

  #asset({ businessId, assetId }: RunLink) {
    return this.#options.assets.get(wholeView(businessId), assetId)
  }

  #earlier(linkId: string): 'ran' | 'failed' | undefined {
    const { input } = this.#job
    if (input.kind !== 'run') return undefined
    if (input.earlier?.ran.includes(linkId)) return 'ran'
    return input.earlier?.failed.includes(linkId) ? 'failed' : undefined
  }

  #outcome(effects: Effects, fresh: Fresh): RunOutcome {
    const { input } = this.#job
    const again = effects.failed.find(
      ({ link }) => input.kind === 'call' && link.id === input.call.link.id,
    )
    if (again !== undefined && input.kind === 'call') {
      const call = this.#sent.get(again.link.id) ?? input.call
      const result = { effects, failed: [] }
      const failure = callFailure(again.fault)
      return { kind: 'dead', failure, result, input: { ...input, call } }
    }
    const away = effects.failed.filter((one) => this.#isRetried(one))
    const lasting = effects.failed.filter((one) => !away.includes(one))
    const failed = lasting.map(({ link, fault }) => this.#deadCall(link, fault, fresh))
    const [first] = away
    if (first === undefined) return { kind: 'done', result: { effects, failed } }
    if (this.#job.attempts === 0) {
      const words = ({ detail }: Fault) => `${detail} It is called again.`
      effects.notes.push(...away.map(({ link, fault }) => makeNote(link, 'warning', words(fault))))
    }
    // Calls that are made again are counted when they have ended.
    const ended = { ...effects, failed: lasting, calls: effects.calls - away.length }
    const next = this.#next(away, lasting, fresh)
    return {
      kind: 'retry',
      failure: callFailure(first.fault),
      result: { effects: ended, failed },
      input: next,
    }
  }

  /** Not for a call that a person repeats: that shows at once that its module is away. */
  #isRetried({ link, fault }: Effects['failed'][number]): boolean {
    const { input, attempts } = this.#job
    if (input.kind !== 'run' || !(fault instanceof ModuleAway)) return false
    if (attempts + 1 >= pipelineLimits.functionRunTriesMax) return false
    return this.#options.health.outageMs(link.moduleId) < pipelineLimits.moduleOutageMs
  }

  #next(away: Effects['failed'], lasting: Effects['failed'], fresh: Fresh): RunInput {
    const { input } = this.#job
    const before = input.kind === 'run' ? input.earlier : undefined
    const again = new Set(away.map(({ link }) => link.id))
    // A link of whose answer a part was used has run.
    const stopped = lasting.filter(({ isPart }) => !isPart)
    const failed = [...(before?.failed ?? []), ...stopped.map(({ link }) => link.id)]
    const ran = [...this.#ran].filter((id) => !again.has(id) && !failed.includes(id))
    const sent = [...this.#sent.values()].filter(({ link }) => again.has(link.id))
    const earlier = { ran: [...(before?.ran ?? []), ...ran], failed, sent }
    const action = input.kind === 'run' ? input.action : undefined
    const causes = listCauses(input)
    return { kind: 'run', action, causes, fresh: [...fresh], last: input.last, earlier }
  }

  /** The call as a dead letter, with the values that the links which it feeds need. */
  #deadCall(link: RunLink, fault: Fault, fresh: Fresh): NewJob<RunInput> {
    const { businessId, tenant, key, part, input } = this.#job
    const call = this.#sent.get(link.id)
    const first = { kind: 'dead', failure: callFailure(fault) } as const
    const branch = withFed(this.#links, link)
    const inlets = new Set(branch.flatMap((one) => one.inlets))
    // Its next try makes these anew, also if a part of its answer was used.
    for (const id of branch.flatMap(({ outlets }) => outlets)) inlets.delete(id)
    const values = {
      causes: listCauses(input),
      fresh: [...fresh].filter(([id]) => inlets.has(id)),
      last: input.last.filter(([id]) => inlets.has(id)),
    }
    const own: RunInput =
      call === undefined ? { kind: 'run', ...values } : { kind: 'call', call, ...values }
    return { businessId, tenant, key, part, first, input: own }
  }
}
