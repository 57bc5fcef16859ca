import { availableParallelism } from 'node:os'
import { elapsedMs, type Logger, limits } from '../../../foundation/kernel/index.ts'
import { CallScheduler } from './calls/call-scheduler.ts'
import type { HostHooks, ScriptHost } from './host.ts'
import { Watchdog } from './watchdog.ts'
import { WorkerPool } from './workers/pool.ts'
import { SyntaxChecks } from './workers/syntax-checks.ts'

export type ScriptHostOptions = {
  readonly hooks: HostHooks
  readonly logger: Logger
  /** Number of threads that run scripts, without those for solutions in quarantine. */
  readonly workers?: number
  readonly quarantineWorkers?: number
  /** Entry file of a worker; `thread/worker.ts` if left out. */
  readonly entry?: URL
}

function defaultWorkers(): number {
  return Math.min(limits.scriptWorkersMax, Math.max(2, availableParallelism() - 1))
}

/** The number of processors for each quarantine worker. */
const coresPerQuarantineWorker = 4

function defaultQuarantineWorkers(): number {
  return Math.max(1, Math.floor(availableParallelism() / coresPerQuarantineWorker))
}

/** Runs scripts in worker threads. The first call of a solution starts the thread that it needs. */
export function createScriptHost(options: ScriptHostOptions): ScriptHost {
  const { hooks, logger } = options
  const { workers = defaultWorkers() } = options
  const { quarantineWorkers = defaultQuarantineWorkers() } = options
  const { entry = new URL('./thread/worker.ts', import.meta.url) } = options
  const pool = new WorkerPool({
    workers,
    quarantineWorkers,
    entry,
    logger,
    elapsedMs,
    onMessage(message, channel) {
      if (message[0] === 'fault') logger.error({ text: message[1] }, 'the script engine failed')
      else if (message[0] === 'checked') checks.receive(message[1], message[2], message[3])
      else if (message[0] !== 'more') calls.receive(message, channel)
    },
    onLost(channel, remains) {
      calls.workerLost(channel, remains)
      checks.workerLost(channel)
    },
    onNotCloneable: (message) => calls.notCloneable(message),
    findSolution: (message) => calls.findSolution(message),
    hasCalls: (channel) => calls.has(channel),
    onRevoked: (messages) => calls.repost(messages),
  })
  const watchdog = new Watchdog({
    check() {
      // Workers first, so that the call that hangs its worker is found before it expires.
      pool.sample()
      calls.expire(elapsedMs())
    },
    isBusy: () => calls.count + checks.count > 0,
  })
  const ids = { last: 0 }
  const onBusy = () => watchdog.start()
  const calls = new CallScheduler({ hooks, logger, elapsedMs, pool, onBusy, ids })
  const checks = new SyntaxChecks({ pool, onBusy, ids, elapsedMs })
  return {
    call: calls.call.bind(calls),
    check: checks.check.bind(checks),
    readCalls: checks.readCalls.bind(checks),
    forget: pool.forget.bind(pool),
    async close() {
      calls.close()
      checks.close()
      watchdog.stop()
      await pool.close()
    },
  }
}
