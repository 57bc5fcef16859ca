import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Transaction } from '../../database/index.ts'
import type { EndedJob, JobQueue, Jobs } from '../../jobs/index.ts'
import { limits } from '../../kernel/index.ts'
import { type StoreEffectsOptions, storeEffects } from '../store-effects.ts'
import { type NoticeJobOptions, runNoticeJob } from './notice-job.ts'
import type { RunInput } from './run-input.ts'
import { type RunJobOptions, type RunOutcome, type RunResult, runLinksJob } from './run-job.ts'

/** The runs of links that need modules, as jobs; their tenants are businesses, keys are assets. */
export type Runs = JobQueue<RunInput, RunResult>

export type RunsOptions = StoreEffectsOptions &
  RunJobOptions &
  NoticeJobOptions & { readonly jobs: Pick<Jobs, 'queue'>; readonly database: Database }

/**
 * Registers the queue. The jobs of an asset run one after the other, in the order of its entries;
 * what a run resulted in is stored in the transaction that settles its job.
 */
export function createRuns(options: RunsOptions): Runs {
  const runs: Runs = options.jobs.queue<RunInput, RunResult>({
    name: 'functions',
    stage: 'functions.runs',
    run(job, signal) {
      const { input } = job
      const ended =
        input.kind === 'notice'
          ? runNoticeJob(options, { ...job, input })
          : runLinksJob(options, { ...job, input })
      return orReleased(ended, signal)
    },
    settled: (transaction, ended) => store(transaction, ended),
    retry: {
      attemptsMax: limits.functionRunTriesMax,
      firstMs: limits.functionRunRetryMs,
      maxMs: limits.functionRunRetryMsMax,
    },
    tenantRunsMax: limits.functionRunsMax,
    tenantClaimMax: limits.functionRunsClaimMax,
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
  ): Promise<void> {
    const results = ended.flatMap(({ job, outcome }) => {
      const result = 'result' in outcome ? outcome.result : undefined
      return result === undefined ? [] : [{ part: job.part, ...result }]
    })
    if (results.length === 0) return
    await storeEffects(options, transaction, results)
    const failed = results.flatMap((result) => result.failed)
    if (failed.length > 0) await runs.enqueue(transaction, failed)
  }

  return runs
}

/** When the process closes, calls in flight have a moment to end; others are repeated. */
function orReleased(ended: Promise<RunOutcome>, signal: AbortSignal): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    const release = async () => {
      await pause(limits.jobCloseMs, undefined, { ref: false })
      resolve({ kind: 'released' })
    }
    signal.addEventListener('abort', release, { once: true })
    const end = () => signal.removeEventListener('abort', release)
    ended.finally(end).then(resolve, reject)
  })
}
