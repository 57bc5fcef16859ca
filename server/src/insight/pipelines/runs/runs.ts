import { setTimeout as pause } from 'node:timers/promises'
import type { Statement, Transaction } from '../../../foundation/database/index.ts'
import { limits } from '../../../foundation/kernel/index.ts'
import type { EndedJob, Job, JobQueue, Jobs, RunTogether } from '../../../log/jobs/index.ts'
import { pipelineLimits } from '../limits.ts'
import { type StoreEffectsOptions, storeEffects } from '../store-effects.ts'
import type { AssetLocks } from './inline/asset-locks.ts'
import type { AdoptedRuns } from './inline/asset-runs.ts'
import { type NoticeJobOptions, runNoticeJob } from './notice-job.ts'
import { listCauses, type RunInput, runOfJob } from './run-input.ts'
import { type RunJobOptions, type RunOutcome, type RunResult, runLinksJob } from './run-job.ts'
import { runJobsTogether } from './run-together.ts'
import { runSetupJob, type SetupJobOptions } from './setup-job.ts'

/** The pause before such an attempt; it doubles each time. */
const functionRunRetryMs = 250
/** The longest such pause. */
const functionRunRetryMsMax = 30_000

/** The runs of links that need modules, as jobs; their tenants are businesses, keys are assets. */
export type Runs = JobQueue<RunInput, RunResult>

export type RunsOptions = StoreEffectsOptions &
  RunJobOptions &
  NoticeJobOptions &
  SetupJobOptions & {
    readonly jobs: Pick<Jobs, 'queue'>
    readonly locks: AssetLocks
    readonly adopted: AdoptedRuns
  }

/**
 * Registers the queue. The jobs of an asset run one after the other, in the order of its entries;
 * what a run resulted in is stored in the transaction that settles its job.
 */
export function createRuns(options: RunsOptions): Runs {
  const runs: Runs = options.jobs.queue<RunInput, RunResult>({
    name: 'functions',
    stage: 'functions.runs',
    run: (job, signal) => orReleased(runOne(options, job), signal, notBegun.outcome),
    runTogether: (jobs, signal) => orReleased(runFirst(options, jobs), signal, notBegun),
    settled: (transaction, ended) => store(transaction, ended),
    retry: {
      attemptsMax: pipelineLimits.functionRunTriesMax,
      firstMs: functionRunRetryMs,
      maxMs: functionRunRetryMsMax,
    },
    tenantRunsMax: limits.functionRunsMax,
    tenantClaimMax: pipelineLimits.functionRunsClaimMax,
    waitingMax: limits.functionRunsWaitingMax,
    overflow: {
      step: 'enqueue',
      reason: `${limits.functionRunsWaitingMax} runs of the business wait already.`,
      detail: { code: 'overloaded' },
    },
    deadMax: limits.failedCallsMax,
    deadHours: limits.failedCallHours,
  })

  async function store(
    transaction: Transaction,
    ended: readonly EndedJob<RunInput, RunResult>[],
  ): Promise<readonly Statement[]> {
    const results = ended.flatMap(({ job, outcome }) => {
      const result = 'result' in outcome ? outcome.result : undefined
      return result === undefined
        ? []
        : [{ part: job.part, causes: listCauses(job.input), job: runOfJob(job), ...result }]
    })
    if (results.length === 0) return []
    const stored = await storeEffects(options, transaction, results)
    const jobs = [...stored.jobs, ...results.flatMap((result) => result.failed)]
    if (jobs.length === 0) return stored.last
    // Calls are counted before runs, as batches of the log do: each waits for the counts of others.
    await transaction.together(stored.last)
    await runs.enqueue(transaction, jobs)
    return []
  }

  return runs
}

const notBegun = { count: 1, outcome: { kind: 'released' } } as const

function runOne(options: RunsOptions, job: Job<RunInput>): Promise<RunOutcome> {
  const { input } = job
  if (input.kind === 'notice') return runNoticeJob(options, { ...job, input })
  if (input.kind === 'setup') return runSetupJob(options, { ...job, input })
  // A job that a batch began has its asset already.
  const begun = options.adopted.take(job.id)
  if (begun !== undefined) return begun
  return alone(options, job, () => runLinksJob(options, { ...job, input }))
}

/** No batch runs links of the asset meanwhile. */
function alone<Result>(
  { locks }: RunsOptions,
  { key, id }: Job<RunInput>,
  run: () => Promise<Result>,
): Promise<Result> {
  return locks.run(key ?? id, run)
}

async function runFirst(
  options: RunsOptions,
  jobs: readonly Job<RunInput>[],
): Promise<RunTogether<RunResult, RunInput>> {
  const [first] = jobs
  if (first === undefined) return notBegun
  const isBegun = options.adopted.has(first.id)
  const together = isBegun
    ? undefined
    : await alone(options, first, () => runJobsTogether(options, jobs))
  if (together !== undefined) return together
  return { count: 1, outcome: await runOne(options, first) }
}

/** When the process closes, calls in flight have a moment to end; others are repeated. */
function orReleased<Ended>(
  ended: Promise<Ended>,
  signal: AbortSignal,
  notEnded: Ended,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const release = async () => {
      await pause(limits.jobCloseMs, undefined, { ref: false })
      resolve(notEnded)
    }
    signal.addEventListener('abort', release, { once: true })
    const end = () => signal.removeEventListener('abort', release)
    ended.finally(end).then(resolve, reject)
  })
}
