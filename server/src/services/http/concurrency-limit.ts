import { Fault, limits } from '../../kernel/index.ts'

/** Limits the concurrent requests of a solution, so that a slow host blocks no other solution. */
export function createConcurrencyLimit() {
  const running = new Map<string, number>()
  return async <Result>(solutionId: string, work: () => Promise<Result>): Promise<Result> => {
    const before = running.get(solutionId) ?? 0
    if (before >= limits.httpRequestsMax) {
      const what = `A solution makes at most ${limits.httpRequestsMax} HTTP requests at once.`
      throw new Fault('http_busy', what)
    }
    running.set(solutionId, before + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(solutionId) ?? 1) - 1
      if (left === 0) running.delete(solutionId)
      else running.set(solutionId, left)
    }
  }
}
