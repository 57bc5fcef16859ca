import { Fault, limits } from '../../../kernel/index.ts'
import type { Chunk, SyntaxProblem } from '../../registry/program.ts'
import type { WorkerPool } from './pool.ts'
import { createQuarantine } from './quarantine.ts'
import type { WorkerChannel } from './worker-channel.ts'

type PendingCheck = {
  readonly solutionId: string
  readonly channel: WorkerChannel
  readonly resolve: (problem: SyntaxProblem | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Sources that are being compiled, only to see whether they can be. */
export type SyntaxChecks = {
  /** @throws Fault overloaded where too many of the solution wait, or the worker was lost. */
  check(solutionId: string, chunk: Chunk): Promise<SyntaxProblem | undefined>
  receive(call: number, problem: SyntaxProblem | undefined, cpuMs: number): void
  workerLost(line: WorkerChannel): void
  count(): number
  /** From now on every check is refused. */
  close(): void
}

/**
 * Small sources are compiled by the worker that runs their solution. Large ones, and those of a
 * solution that had much compiled of late, go where solutions run that spin. This is not held
 * against the solution's calls.
 */
export function createSyntaxChecks({
  pool,
  busy,
  numbers,
  elapsedMs,
}: {
  readonly pool: Pick<WorkerPool, 'checkLineOf'>
  readonly busy: () => void
  readonly numbers: { last: number }
  readonly elapsedMs: () => number
}): SyntaxChecks {
  const waiting = new Map<number, PendingCheck>()
  const waitingOf = new Map<string, number>()
  const spent = createQuarantine(elapsedMs)
  let closed = false

  function take(call: number): PendingCheck | undefined {
    const taken = waiting.get(call)
    if (taken === undefined) return undefined
    waiting.delete(call)
    const left = (waitingOf.get(taken.solutionId) ?? 1) - 1
    if (left > 0) waitingOf.set(taken.solutionId, left)
    else waitingOf.delete(taken.solutionId)
    return taken
  }

  return {
    async check(solutionId, chunk) {
      if (closed) throw new Fault('overloaded', 'The platform is stopping.')
      const before = waitingOf.get(solutionId) ?? 0
      if (before >= limits.scriptChecksWaitingMax) throw new Fault('overloaded', tooMany)
      numbers.last += 1
      const call = numbers.last
      const isLarge = chunk.source.length > limits.scriptCheckSmallChars
      const line = pool.checkLineOf(solutionId, isLarge || spent.has(solutionId))
      return new Promise((resolve, reject) => {
        waiting.set(call, { solutionId, channel: line, resolve, reject })
        waitingOf.set(solutionId, before + 1)
        line.post(['check', call, chunk, solutionId])
        busy()
      })
    },
    receive(call, problem, cpuMs) {
      const taken = take(call)
      if (taken === undefined) return
      spent.recordCpu(taken.solutionId, cpuMs)
      taken.resolve(problem)
    },
    workerLost(line) {
      for (const [call, { channel: its, reject }] of [...waiting]) {
        if (its !== line) continue
        take(call)
        reject(new Fault('overloaded', 'The worker that looked at the script was lost. Try again.'))
      }
    },
    count: () => waiting.size,
    close() {
      closed = true
    },
  }
}

const tooMany = 'Too many scripts of this solution wait to be looked at. Try again.'
