import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

/** The answers and durations of calls of one kind. */
export type Tally = {
  /**
   * @param outcome a status, with the code of an error, or the failure of the connection.
   * @param ms from the call to its answer's end.
   */
  count(outcome: string, ms: number): void
  readonly total: number
  /** Calls that were not answered 2xx. */
  readonly failed: number
  /** Such as `204: 1,200, 503 overloaded: 3`. */
  outcomes(): string
  /** Such as `p50 1.2, p95 3.4, p99 9.0 ms`; empty if nothing was counted. */
  latencies(): string
}

const usPerMs = 1_000
const shown = [50, 95, 99] as const

export function createTally(): Tally {
  const counts = new Map<string, number>()
  const histogram: RecordableHistogram = createHistogram()
  const sum = (of: (outcome: string) => boolean) =>
    [...counts].reduce((total, [outcome, count]) => (of(outcome) ? total + count : total), 0)
  return {
    count(outcome, ms) {
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      histogram.record(Math.max(1, Math.round(ms * usPerMs)))
    },
    get total() {
      return sum(() => true)
    },
    get failed() {
      return sum((outcome) => !outcome.startsWith('2'))
    },
    outcomes: () =>
      [...counts]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([outcome, count]) => `${outcome}: ${count.toLocaleString('en')}`)
        .join(', '),
    latencies() {
      if (counts.size === 0) return ''
      const ms = (p: number) => (histogram.percentile(p) / usPerMs).toFixed(1)
      return `${shown.map((p) => `p${p} ${ms(p)}`).join(', ')} ms`
    },
  }
}
