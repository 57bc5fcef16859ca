import type { Job, RunTogether } from '../../../log/jobs/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { AssetGraph } from '../links/graphs.ts'
import type { Datum } from '../run.ts'
import { listCauses, type RunInput, type RunValues } from './run-input.ts'
import { loadAsset, type RunJobOptions, type RunResult, runLoaded } from './run-job.ts'

/** Entries that log lines and traces name of one call of a module with values of several. */
const traceCausesMax = 20

type EntryInput = Extract<RunInput, { readonly kind: 'run' }>
type EntryJob = Job<RunInput> & { readonly input: EntryInput }

/** The least that a value counts, with the characters around it. */
const leastChars = 100

/**
 * Runs the first of the jobs of an asset that wait one behind the other; with it those of the next
 * entries, if each function takes the values of several entries as it takes those of one: their
 * values then go in one call. A function with several inlets gets those of one entry, since it
 * combines them, and so does one with a history, which ends with its entry.
 */
export async function runJobsTogether(
  options: RunJobOptions,
  jobs: readonly Job<RunInput>[],
): Promise<RunTogether<RunResult, RunInput> | undefined> {
  const entries = entryJobs(jobs)
  const [first] = entries
  if (first === undefined || entries.length === 1) return undefined
  const loaded = await loadAsset(options, first)
  if (loaded === undefined || !takesSeveral(loaded.graph)) return undefined
  const { input, count } = joinFirst(entries.map((job) => job.input))
  if (count === 1) return undefined
  const outcome = await runLoaded(options, { ...first, input }, loaded)
  return { count, outcome }
}

/** Values of so many entries. */
type Joined = { readonly input: EntryInput; readonly count: number }

/** The values of an asset's entries as its functions take them: several together, or each alone. */
export function joinedEntries(graph: AssetGraph, inputs: readonly EntryInput[]): Joined[] {
  if (!takesSeveral(graph)) return inputs.map((input) => ({ input, count: 1 }))
  const joined: Joined[] = []
  for (let left = inputs; left.length > 0; ) {
    const first = joinFirst(left)
    joined.push(first)
    left = left.slice(first.count)
  }
  return joined
}

/** The first of these entries, as many as fit in one call. */
function joinFirst(inputs: readonly EntryInput[]): Joined {
  const fit = fitting(inputs)
  const [first] = fit
  if (first !== undefined && fit.length === 1) return { input: first, count: 1 }
  return { input: merged(fit), count: fit.length }
}

/** Returns the first jobs that are entries of the asset and were not tried before. */
function entryJobs(jobs: readonly Job<RunInput>[]): EntryJob[] {
  const entries: EntryJob[] = []
  for (const job of jobs) {
    const { input } = job
    if (input.kind !== 'run' || input.action !== undefined) break
    if (input.earlier !== undefined) break
    entries.push({ ...job, input })
  }
  return entries
}

/** As many of them as their values fit in one call. */
function fitting(inputs: readonly EntryInput[]): readonly EntryInput[] {
  let values = 0
  let chars = 0
  const past = inputs.findIndex((input) => {
    const data = input.fresh.flatMap(([, own]) => own)
    values += data.length
    chars += data.reduce((sum, datum) => sum + countChars(datum), 0)
    return (
      values > pipelineLimits.functionRunValuesMax || chars > pipelineLimits.functionRunCharsMax
    )
  })
  return past < 0 ? inputs : inputs.slice(0, Math.max(1, past))
}

function countChars({ value }: Datum): number {
  if (typeof value === 'string') return Math.max(leastChars, value.length)
  if (typeof value !== 'object') return leastChars
  return Math.max(leastChars, JSON.stringify(value).length)
}

function takesSeveral({ deferred, actions }: AssetGraph): boolean {
  return [...deferred, ...actions].every(
    ({ inlets, insight }) => inlets.length === 1 && !insight.history,
  )
}

/** The values of all, those of each signal in the order of their entries. */
function merged(inputs: readonly EntryInput[]): EntryInput {
  const fresh = new Map<string, Datum[]>()
  for (const [signalId, data] of inputs.flatMap((input) => input.fresh)) {
    const own = fresh.get(signalId)
    if (own === undefined) fresh.set(signalId, [...data])
    else own.push(...data)
  }
  const last: RunValues['last'] = []
  const causes = inputs.flatMap((input) => listCauses(input) ?? []).slice(0, traceCausesMax)
  return { kind: 'run', seq: inputs.at(-1)?.seq, causes, fresh: [...fresh], last }
}
