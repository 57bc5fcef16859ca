import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../../../foundation/database/index.ts'
import {
  Fault,
  type Logger,
  Microseconds,
  Semaphore,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { Services } from '../configurations/services.ts'
import { createFilesSchema, type Folder, readFolder } from '../projects/folder.ts'
import { buildProgram, handlerName, type LoadedSolution } from '../registry/build.ts'
import { findProblems, throwProblems } from '../registry/check.ts'
import { type Programs, usedServices } from '../registry/programs.ts'
import { findOperation, ServiceRouter } from '../runtime/calls/service-router.ts'
import type { ScriptHost } from '../runtime/host.ts'
import type { Replay, ReplayCounts, ReplayedEvent, ReplayedRun } from '../schema.ts'
import { readSolution } from '../store/solutions.ts'
import {
  type RecordedEvent,
  type RecordedEventsOptions,
  readRecordedEvents,
} from './recorded-events.ts'
import { ReplayRun, type ReplayServices } from './replay-run.ts'

/** Events that the answer of a replay holds. */
const replayShownMax = 1_000
/** Replays that run at once, one of each business at most. */
const replaysMax = 1
/** Replays that wait. */
const replaysWaitingMax = 20

/** Recorded events of the devices of a solution, and the scripts that they are to go through. */
export const createReplayRequestSchema = () =>
  StrictObject({
    from: Microseconds('Part of the range, in microseconds.'),
    to: Microseconds('Not part of the range, in microseconds.'),
    files: Type.Optional(createFilesSchema()),
  })
type ReplayRequest = StaticResult<ReturnType<typeof createReplayRequestSchema>>

export type Replays = {
  /**
   * Runs recorded events of the solution's devices through its scripts, and through those of a
   * folder. Calls that read are made; others are recorded only, and nothing is stored.
   * @throws Fault not_found, invalid_argument, script_refused, time_exceeded; overloaded if too
   *   many wait
   */
  run(businessId: string, solutionId: string, request: ReplayRequest): Promise<Replay>
}

export type ReplaysOptions = RecordedEventsOptions & {
  readonly database: Database
  readonly programs: Pick<Programs, 'get'>
  readonly services: Services
  readonly host: Pick<ScriptHost, 'check'>
  readonly logger: Logger
}

type Runs = {
  readonly live: readonly ReplayedRun[] | null
  readonly changed: readonly ReplayedRun[]
}

export function createReplays(options: ReplaysOptions): Replays {
  const semaphore = new Semaphore({
    max: replaysMax,
    waitingMax: replaysWaitingMax,
    refusal: () => new Fault('overloaded', 'Too many replays wait.', { retryAfterS: 5 }),
  })
  const services = makeServices(options)
  return {
    async run(businessId, solutionId, request) {
      const { from, to, files } = request
      if (!(from < to)) throw new Fault('invalid_argument', 'from must be before to.')
      const live = await options.programs.get(businessId, solutionId)
      if (live === undefined) throw new Fault('not_found', 'There is no such solution.')
      const folder = files && (await readFolder(files))
      const changed = folder && (await withScripts(options, live, folder))
      return semaphore.run([{ key: businessId, max: 1 }], async () => {
        const events = await readRecordedEvents(options, live, { from, to })
        const run = new ReplayRun({ services, logger: options.logger })
        try {
          const now = await run.run(live, events)
          const runs =
            changed === undefined
              ? { live: null, changed: now }
              : { live: now, changed: await run.run(changed, events) }
          return makeReplay({ from, to }, events, runs, makeNotes(folder))
        } finally {
          await run.close()
        }
      })
    },
  }
}

/** The solution with the scripts of a folder, and its own services. @throws Fault script_refused */
async function withScripts(
  { database, host, services }: ReplaysOptions,
  { businessId, solutionId, configurations }: LoadedSolution,
  { scripts, problems }: Folder,
): Promise<LoadedSolution> {
  const solution = await readSolution(database, businessId, solutionId)
  if (solution === undefined) throw new Fault('not_found', 'There is no such solution.')
  throwProblems([...problems, ...(await findProblems(host, solutionId, scripts))])
  const stamps = { createdAt: 0, updatedAt: 0 }
  return buildProgram({
    solution,
    scripts: scripts.map((script) => ({ ...script, ...stamps })),
    configurations,
    services: await usedServices(services, configurations),
  })
}

/** Calls that are made write no line into the log of the solution. */
function makeServices({ programs, services, logger }: ReplaysOptions): ReplayServices {
  const router = new ServiceRouter({ programs, services, logger, log: { write() {} } })
  return {
    async find({ program: { businessId, solutionId }, service, operation }) {
      const loaded = await programs.get(businessId, solutionId)
      const found = loaded && (await findOperation(services, loaded, service, operation))
      return typeof found === 'object' ? found.operation : undefined
    },
    route: (request) => router.route(request),
  }
}

function makeNotes(folder: Folder | undefined): string[] {
  const services = folder?.services.map(({ alias }) => alias) ?? []
  if (services.length === 0) return []
  const names = services.join(', ')
  return [`The solution's own services were used, not those of the folder: ${names}.`]
}

function makeReplay(
  range: Pick<Replay, 'from' | 'to'>,
  events: readonly RecordedEvent[],
  { live, changed }: Runs,
  notes: readonly string[],
): Replay {
  const all = events.map((event, at) => replayedEvent(event, live?.[at] ?? null, changed[at]))
  const handled = all.filter((one) => one.changed.outcome !== 'none' || isHandled(one.live))
  const differing = live === null ? [] : handled.filter(differs)
  const shown = live === null ? handled : differing
  return {
    ...range,
    events: handled.length,
    differing: differing.length,
    live: live && countRuns(live),
    changed: countRuns(changed),
    shown: shown.slice(0, replayShownMax),
    notes,
  }
}

function isHandled(run: ReplayedRun | null): boolean {
  return run !== null && run.outcome !== 'none'
}

function differs({ live, changed }: ReplayedEvent): boolean {
  return !isDeepStrictEqual(live, changed)
}

function replayedEvent(
  { entry: { part, seq, at, connectorId, identity }, type, alias }: RecordedEvent,
  live: ReplayedRun | null,
  changed: ReplayedRun | undefined,
): ReplayedEvent {
  if (changed === undefined) throw new Error('an event was not replayed')
  const handler = handlerName(alias, 'event')
  return { part, seq, at, connectorId, identity, type, handler, live, changed }
}

function countRuns(runs: readonly ReplayedRun[]): ReplayCounts {
  const calls = runs.flatMap((run) => run.calls)
  return {
    calls: calls.length,
    writes: calls.filter(({ made }) => !made).length,
    logs: runs.reduce((sum, { logs }) => sum + logs.length, 0),
    failed: runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'stopped').length,
  }
}
