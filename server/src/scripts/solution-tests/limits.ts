/** Limits of `solution-tests` that no operator sets. */
export const solutionTestLimits = {
  /** The time after which a run of tests is stopped. */
  solutionTestMsMax: 15 * 60_000,
  /**
   * The time for a temporary instance to be opened and removed. Past it and `solutionTestMsMax`,
   * others remove what a killed process has left of it.
   */
  solutionTestEndMsMax: 5 * 60_000,
}
