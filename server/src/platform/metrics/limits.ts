/** Limits of `metrics` that no operator sets. */
export const metricLimits = {
  /** The shortest interval at which metrics ask the database. */
  metricsAskMs: 10_000,
  /** Modules of which metrics have their own values; those of all others are one, `other`. */
  metricsModulesMax: 100,
  /** The time after which spans of traces are sent together. */
  traceSendMs: 5_000,
  /** Spans that wait to be sent; further ones are dropped. */
  traceSpansMax: 10_000,
}
