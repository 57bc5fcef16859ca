import type { Database } from '../../../foundation/database/index.ts'
import { Fault, Semaphore } from '../../../foundation/kernel/index.ts'
import type { View } from '../../../people/groups/index.ts'
import type { Assets } from '../../assets/index.ts'
import { builtinId } from '../builtin/registry.ts'
import { withOutlets } from '../document/document.ts'
import type { PlanInput } from '../document/draft.ts'
import { checkSize, findFunctions } from '../document/functions.ts'
import { planChange } from '../document/plan.ts'
import type { RunLink } from '../links/graphs.ts'
import { withDevice } from '../links/inlet-signals.ts'
import type { DescribedFunctions } from '../modules/descriptions.ts'
import type { ExternalModules } from '../modules/external.ts'
import { readLinks } from '../store.ts'
import { SimulatedCalls, type SimulatedCallsOptions } from './calls.ts'
import { differenceOfRuns } from './difference.ts'
import { changedGraph, type SimulatedGraph } from './graph.ts'
import { readRecording } from './recording.ts'
import { runRecording, shownRun } from './run.ts'
import type { Simulation, SimulationRequest } from './schema.ts'
import { storeRun } from './store.ts'

/** Simulations that run at once, one of each business at most. */
const simulationsMax = 2
/** Simulations that wait. */
const simulationsWaitingMax = 20

export type Simulations = {
  /**
   * Runs what was recorded of an asset through its pipeline and through a changed one.
   * Only modules that are marked safe are called, and no action runs. Nothing is stored, unless the
   * request asks for it: then the values of functions' outlets, where history has none.
   * @throws Fault not_found, invalid_argument, pipeline_refused; overloaded if too many wait
   */
  run(view: View, assetId: string, request: SimulationRequest): Promise<Simulation>
}

export type SimulationsOptions = SimulatedCallsOptions & {
  readonly database: Database
  readonly assets: Assets
  readonly modules: Pick<DescribedFunctions, 'linkable'>
  readonly external: Pick<ExternalModules, 'list'>
}

export function createSimulations(options: SimulationsOptions): Simulations {
  const semaphore = new Semaphore({
    max: simulationsMax,
    waitingMax: simulationsWaitingMax,
    refusal: () => new Fault('overloaded', 'Too many simulations wait.', { retryAfterS: 5 }),
  })
  return {
    async run(view, assetId, request) {
      const { businessId } = view
      const { from, to, store } = request
      const change = request.change ?? { links: [] }
      if (!(from < to)) throw new Fault('invalid_argument', 'from must be before to.')
      checkSize(change)
      const { device } = await options.assets.get(view, assetId)
      const find = await findFunctions(options.modules, businessId, change)
      const now = await readAsset(options, view, assetId)
      let number = 0
      const newId = () => {
        number += 1
        return `new-${number}`
      }
      const input = {
        businessId,
        assetId,
        links: now.links,
        signals: now.signals.map((signal) => withDevice(signal, device)),
        newId,
        nowUs: to,
      }
      const same = { change: { links: [] }, find, ...input }
      const tried = { change, find, ...input }
      const modules = await safeModules(options, businessId)
      const safe = new Set(modules.keys())
      const graphs = [makeGraph(same, safe), makeGraph(tried, safe)] as const
      const calls = new SimulatedCalls(options, modules)
      const shares = [{ key: businessId, max: 1 }]
      return semaphore.run(shares, () =>
        simulate(options, view, graphs, { from, to, store: store === true, calls }),
      )
    },
  }
}

async function readAsset({ database, assets }: SimulationsOptions, view: View, id: string) {
  const signals = await assets.signals.ofAssets(view, [id])
  return { links: withOutlets(await readLinks(database, view.businessId, [id]), signals), signals }
}

function makeGraph(input: PlanInput, safe: ReadonlySet<string>): SimulatedGraph {
  return changedGraph(input, planChange(input), safe)
}

async function safeModules({ external }: SimulationsOptions, businessId: string) {
  const modules = await external.list(businessId)
  const safe = modules.filter(({ simulationSafe }) => simulationSafe)
  return new Map(safe.map((module) => [module.id, module]))
}

type SimulatedRange = { readonly from: number; readonly to: number; readonly store: boolean } & {
  readonly calls: SimulatedCalls
}

async function simulate(
  options: SimulationsOptions,
  view: View,
  [live, changed]: readonly [SimulatedGraph, SimulatedGraph],
  { store, calls, ...range }: SimulatedRange,
): Promise<Simulation> {
  const wanted = [...new Set([live, changed].flatMap(recordedSignals))]
  const there = wanted.filter((id) => live.signals.has(id))
  const recording = await readRecording(options.assets, view, there, range)
  const runs = [
    await runRecording(live, recording, calls),
    await runRecording(changed, recording, calls),
  ] as const
  const filled = store
    ? await storeRun(options, view, runs[1], live.signals, range)
    : { stored: [], notes: [] }
  return {
    from: range.from,
    to: range.to,
    values: recording.count,
    live: shownRun(runs[0]),
    changed: shownRun(runs[1]),
    difference: differenceOfRuns(...runs),
    stored: filled.stored,
    notes: [...makeNotes(live, changed), ...filled.notes],
  }
}

/** Returns the signals that come from the recording: no function that runs makes them. */
function recordedSignals({ links, computed }: SimulatedGraph): string[] {
  const own = new Set(links.flatMap((link) => (computed.has(link.id) ? link.outlets : [])))
  const recorded = links.filter(({ id }) => !computed.has(id))
  const statuses = recorded.flatMap(({ targets }) => targets.get(0)?.id ?? [])
  return [...links.flatMap(({ inlets }) => inlets), ...statuses].filter((id) => !own.has(id))
}

function isOfModule({ moduleId }: RunLink): boolean {
  return moduleId !== builtinId
}

function makeNotes(live: SimulatedGraph, changed: SimulatedGraph): string[] {
  return changed.links.filter(isOfModule).map((link) => {
    if (changed.computed.has(link.id)) {
      return `${link.name}: its module is called, since it is marked safe for simulation.`
    }
    const before = live.links.find(({ id }) => id === link.id)
    if (before === undefined) {
      return `${link.name}: its module is not called, so its outlets have no values.`
    }
    const same = JSON.stringify([before.constants, before.inlets, before.checks])
    return same === JSON.stringify([link.constants, link.inlets, link.checks])
      ? `${link.name}: its module is not called; its outlets have what was recorded.`
      : `${link.name}: its module is not called; what was recorded is of the link as it was.`
  })
}
