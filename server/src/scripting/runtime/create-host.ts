import { availableParallelism } from 'node:os'
import { elapsedMs, type Logger, limits } from '../../kernel/index.ts'
import { CallScheduler } from './calls/call-scheduler.ts'
import type { HostHooks, ScriptHost } from './host.ts'
import { WorkerPool } from './workers/pool.ts'
import { createSyntaxChecks } from './workers/syntax-checks.ts'

export type ScriptHostOptions = {
  readonly hooks: HostHooks
  readonly logger: Logger
  /** Number of threads that run scripts, without those for solutions in quarantine. */
  readonly workers?: number
  readonly quarantineWorkers?: number
  /** Entry file of a worker; `worker.ts` if left out. */
  readonly entry?: URL
}

/** One quarantine worker for so many processors. */
const coresPerQuarantineWorker = 4

/**
 * Runs scripts in worker threads. The first call starts the thread that it needs; while anything
 * runs, calls and workers are looked at every `limits.scriptWatchdogMs`.
 */
export function createScriptHost(options: ScriptHostOptions): ScriptHost {
  const { hooks, logger, workers = Math.max(2, availableParallelism() - 1) } = options
  const {
    quarantineWorkers: workersApart = Math.max(
      1,
      Math.floor(availableParallelism() / coresPerQuarantineWorker),
    ),
  } = options
  const { entry = new URL('./thread/worker.ts', import.meta.url) } = options
  const pool = new WorkerPool({
    ...{ workers, workersApart, entry, logger, elapsedMs },
    heard: (message, line) => {
      if (message[0] === 'fault') logger.error({ text: message[1] }, 'the script engine failed')
      else if (message[0] === 'checked') checks.receive(message[1], message[2], message[3])
      else if (message[0] !== 'more') calls.receive(message, line)
    },
    lost: (line, remains) => {
      calls.workerLost(line, remains)
      checks.workerLost(line)
    },
    refused: (message) => calls.refused(message),
    solutionOf: (message) => calls.solutionOf(message),
    hasCalls: (line) => calls.has(line),
    takenBack: (messages) => calls.repost(messages),
  })
  let timer: NodeJS.Timeout | undefined
  const busy = () => {
    timer ??= setInterval(look, limits.scriptWatchdogMs)
  }
  const numbers = { last: 0 }
  const calls = new CallScheduler({
    hooks,
    logger,
    elapsedMs,
    pool,
    startWatchdog: busy,
    ids: numbers,
  })
  const checks = createSyntaxChecks({ pool, busy, numbers, elapsedMs })

  function look(): void {
    // Workers first, so that the call that hangs its worker is found before it expires.
    pool.look()
    calls.expire(elapsedMs())
    if (calls.count + checks.count() > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    call: (program, call) => calls.call(program, call),
    check: (solutionId, chunk) => checks.check(solutionId, chunk),
    forget: (solutionId) => pool.forget(solutionId),
    async close() {
      calls.close()
      checks.close()
      clearInterval(timer)
      await pool.close()
    },
  }
}
