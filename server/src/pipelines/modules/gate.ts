/** Lets so many pieces of work run at once; the others wait their turn, in order. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Who waits is bounded by the caller: a consumer's batch, or one request. */
export function createGate(atOnceMax: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnceMax) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
