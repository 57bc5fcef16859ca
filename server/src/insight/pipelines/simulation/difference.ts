import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { PipelineRun } from './run.ts'
import type { SignalDifference, Simulation, TimesDifference } from './schema.ts'

/** Compares what two pipelines make of the same recording. Pure. */
export function differenceOfRuns(
  live: PipelineRun,
  changed: PipelineRun,
): Simulation['difference'] {
  const levels = ({ levels: all }: PipelineRun, id: string) =>
    (all.get(id) ?? []).map(({ ts, level }) => [ts, level] as const)
  const actions = ({ actions: all }: PipelineRun, id: string) =>
    (all.get(id) ?? []).map((ts) => [ts, 0] as const)
  return {
    signals: signalDifferences(live, changed),
    rules: timesDifferences(live, changed, levels),
    actions: timesDifferences(live, changed, actions),
  }
}

function signalDifferences(live: PipelineRun, changed: PipelineRun): SignalDifference[] {
  const ids = [...new Set([...live.values.keys(), ...changed.values.keys()])]
  return ids.flatMap((id) => {
    const [before, after] = [live.values.get(id), changed.values.get(id)]
    const times = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
    const differing = times
      .filter((ts) => !isDeepStrictEqual(before?.get(ts), after?.get(ts)))
      .toSorted((a, b) => a - b)
    const [ts] = differing
    if (ts === undefined) return []
    const name = (changed.graph.signals.get(id) ?? live.graph.signals.get(id))?.name ?? ''
    const at = (values: ReadonlyMap<number, Json> | undefined) => values?.get(ts) ?? null
    const first = { ts, live: at(before), changed: at(after) }
    return [{ id, name, count: differing.length, first }]
  })
}

type Times = readonly (readonly [ts: number, what: number])[]

function timesDifferences(
  live: PipelineRun,
  changed: PipelineRun,
  timesOf: (run: PipelineRun, linkId: string) => Times,
): TimesDifference[] {
  const links = new Map(
    [live, changed].flatMap(({ graph }) =>
      [...graph.links, ...graph.actions].map((link) => [link.id, link.name] as const),
    ),
  )
  return [...links].flatMap(([linkId, name]) => {
    const [before, after] = [timesOf(live, linkId), timesOf(changed, linkId)]
    const liveOnly = missing(before, after)
    const changedOnly = missing(after, before)
    if (liveOnly.length + changedOnly.length === 0) return []
    return [{ linkId, name, liveOnly, changedOnly }]
  })
}

/** The times of the first that the second does not have. */
function missing(first: Times, second: Times): number[] {
  const there = new Set(second.map((one) => one.join()))
  const times = first.filter((one) => !there.has(one.join())).map(([ts]) => ts)
  return times.slice(0, pipelineLimits.simulationShownMax)
}
