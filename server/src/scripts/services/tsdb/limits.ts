/** Limits of `services/tsdb` that no operator sets. */
export const tsdbLimits = {
  /** Metrics in one datapoint, or in one query. */
  tsdbMetricsMax: 100,
  /** Values in one `multiWrite`. */
  tsdbPointsPerCallMax: 5_000,
  /** The name of a metric, the name or the text of a tag. */
  tsdbNameCharsMax: 100,
  /** A text as the value of a metric, as UTF-8. */
  tsdbTextBytesMax: 4_096,
}
