/** The wall clock as an argument, so that tests can stand on both sides of every boundary. */
export type Clock = {
  /** Microseconds since 1970, strictly increasing within a process: two writes never share one. */
  nowUs(): number
  /** Milliseconds since 1970. */
  nowMs(): number
}

const usPerMs = 1000

/** The machine's clock. Its microseconds never repeat and never step back in a process. */
export function systemClock(): Clock {
  let last = 0
  return {
    nowUs() {
      const now = Date.now() * usPerMs
      last = now > last ? now : last + 1
      return last
    },
    nowMs: () => Date.now(),
  }
}

/** Milliseconds that only move forward, whatever happens to the clock: for how long things take. */
export function elapsedMs(): number {
  return performance.now()
}
