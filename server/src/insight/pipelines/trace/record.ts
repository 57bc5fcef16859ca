import type { Database, Statement } from '../../../foundation/database/index.ts'
import { type Clock, limits } from '../../../foundation/kernel/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { Effects } from '../run.ts'
import {
  type BatchTimes,
  batchesStatement,
  deleteOldRuns,
  type RecordedFunction,
  type RecordedRun,
  runsStatement,
} from '../store/recorded-runs.ts'

/** A run of an entry's functions in its batch, or of a job; with what it resulted in. */
export type TracedRun = {
  /** The part in which the ledger counts its calls. */
  readonly part: number
  readonly effects: Effects
  /** Numbers of the entries that the values come from, if the run is a job. */
  readonly causes?: readonly number[] | undefined
  /** The entry, if the run is part of its batch. */
  readonly entry?: { readonly businessId: string; readonly seq: number } | undefined
  /** The asset and the stamps of the values, if the run is a job. */
  readonly job?: RunOfJob | undefined
}

/** The names by which a trace finds the run of a job. */
export type RunOfJob = Pick<RecordedRun, 'businessId' | 'assetId' | 'stamps'>

/** Returns the statements that store how long functions took, and which calls they made. */
export function recordStatements(
  ran: readonly TracedRun[],
  clock: Pick<Clock, 'nowUs'>,
): Statement[] {
  const took = ran.filter(({ effects }) => effects.took.length > 0)
  if (took.length === 0) return []
  const endedAt = clock.nowUs()
  const batches = groupBatches(took, endedAt)
  const runs = took.flatMap(({ job, effects }) =>
    job === undefined || job.stamps.length === 0
      ? []
      : [{ endedAt, functions: toFunctions(effects), ...job }],
  )
  return [
    ...(batches.length > 0 ? [batchesStatement(batches)] : []),
    ...(runs.length > 0 ? [runsStatement(runs)] : []),
  ]
}

const usPerHour = 3_600_000_000

/** Deletes what is older than `traceHours`. */
export async function removeOldRuns(
  database: Database,
  clock: Pick<Clock, 'nowUs'>,
): Promise<void> {
  const beforeUs = clock.nowUs() - pipelineLimits.traceHours * usPerHour
  const count = limits.retentionBatchMax
  while ((await deleteOldRuns(database, beforeUs, count)) === count);
}

function groupBatches(ran: readonly TracedRun[], endedAt: number): BatchTimes[] {
  const batches = new Map<string, Omit<BatchTimes, 'lastSeq'> & { lastSeq: number }>()
  const places = new Map<string, number>()
  for (const { entry, part, effects } of ran) {
    if (entry === undefined) continue
    const key = `${entry.businessId} ${part}`
    const batch = batches.get(key) ?? newBatch(entry.businessId, part, endedAt)
    batches.set(key, batch)
    batch.lastSeq = Math.max(batch.lastSeq, entry.seq)
    const run = [entry.seq]
    for (const { link, us } of effects.took) {
      const placeKey = `${part} ${link.id}`
      const place = places.get(placeKey) ?? batch.links.push(link.id) - 1
      places.set(placeKey, place)
      run.push(place, us)
    }
    batch.runs.push(run)
  }
  return [...batches.values()]
}

function newBatch(businessId: string, part: number, endedAt: number) {
  return { businessId, part, lastSeq: 0, endedAt, links: [] as string[], runs: [] as number[][] }
}

function toFunctions({ took, made }: Effects): RecordedFunction[] {
  return took.map(({ link: { id }, us }) => {
    const call = made?.get(id)
    if (call === undefined) return { link: id, us }
    const reason = call.reason?.slice(0, limits.moduleSentenceCharsMax) ?? null
    return { link: id, us, call: { ...call, reason } }
  })
}
