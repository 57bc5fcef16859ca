/** Limits of `hosts` that no operator sets. */
export const hostLimits = {
  /** Labels that are reserved so for one business. Past it the oldest are freed. */
  hostLabelsKeptMax: 1_000,
  /** The age up to which a cached label is used. */
  hostCacheMs: 1_000,
}
