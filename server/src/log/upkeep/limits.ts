/** Limits of `upkeep` that no operator sets. */
export const upkeepLimits = {
  /**
   * The difference between the clock and the time that has passed from which the clock counts as
   * set.
   */
  upkeepDriftMsMax: 10 * 60_000,
}
