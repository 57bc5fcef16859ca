/** Limits of `changes` that no operator sets. */
export const changesLimits = {
  /** The pause between two events of a stream of changes; what comes in it goes out together. */
  changesPauseMs: 1_000,
}
