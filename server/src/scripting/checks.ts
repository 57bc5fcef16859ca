import { Fault } from '../kernel/index.ts'
import type { Line } from './line.ts'
import type { Pool } from './pool.ts'
import type { Chunk, SyntaxProblem } from './program.ts'

type Waiting = {
  readonly line: Line
  readonly resolve: (problem: SyntaxProblem | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Sources that are being compiled, only to see whether they can be. */
export type Checks = {
  /** @throws Fault overloaded where the worker was lost. */
  check(chunk: Chunk): Promise<SyntaxProblem | undefined>
  heard(call: number, problem: SyntaxProblem | undefined): void
  lost(line: Line): void
  count(): number
}

export function createChecks({
  pool,
  busy,
  numbers,
}: {
  readonly pool: Pool
  readonly busy: () => void
  readonly numbers: { last: number }
}): Checks {
  const waiting = new Map<number, Waiting>()
  return {
    check(chunk) {
      numbers.last += 1
      const call = numbers.last
      const line = pool.lineOf(chunk.name)
      return new Promise((resolve, reject) => {
        waiting.set(call, { line, resolve, reject })
        line.post(['check', call, chunk])
        busy()
      })
    },
    heard(call, problem) {
      waiting.get(call)?.resolve(problem)
      waiting.delete(call)
    },
    lost(line) {
      for (const [call, { line: its, reject }] of waiting) {
        if (its !== line) continue
        waiting.delete(call)
        reject(new Fault('overloaded', 'The worker that looked at the script was lost. Try again.'))
      }
    },
    count: () => waiting.size,
  }
}
