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
  /** The same for programs. */
  summary(): TallySummary
  /** Such as `204: 1,200, 503 overloaded: 3`. */
  outcomes(): string
  /** Such as `p50 1.2, p95 3.4, p99 9.0 ms`; empty if nothing was counted. */
  latencies(): string
}

export type TallySummary = {
  readonly total: number
  readonly failed: number
  /** The number of calls by outcome. */
  readonly outcomes: Readonly<Record<string, number>>
  /** Percentiles in milliseconds; null if nothing was counted. */
  readonly latencyMs: Readonly<Record<'p50' | 'p95' | 'p99', number>> | null
}

const usPerMs = 1_000
const shown = [50, 95, 99] as const

export function createTally(): Tally {
  const counts = new Map<string, number>()
  const histogram: RecordableHistogram = createHistogram()
  const sum = (of: (outcome: string) => boolean) =>
    [...counts].reduce((total, [outcome, count]) => (of(outcome) ? total + count : total), 0)
  const total = () => sum(() => true)
  const failed = () => sum((outcome) => !outcome.startsWith('2'))
  const sorted = () => [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  const ms = (p: number) => Number((histogram.percentile(p) / usPerMs).toFixed(1))
  return {
    count(outcome, ms) {
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      histogram.record(Math.max(1, Math.round(ms * usPerMs)))
    },
    get total() {
      return total()
    },
    get failed() {
      return failed()
    },
    summary: () => ({
      total: total(),
      failed: failed(),
      outcomes: Object.fromEntries(sorted()),
      latencyMs: counts.size === 0 ? null : { p50: ms(50), p95: ms(95), p99: ms(99) },
    }),
    outcomes: () =>
      sorted()
        .map(([outcome, count]) => `${outcome}: ${count.toLocaleString('en')}`)
        .join(', '),
    latencies() {
      if (counts.size === 0) return ''
      return `${shown.map((p) => `p${p} ${ms(p).toFixed(1)}`).join(', ')} ms`
    },
  }
}
