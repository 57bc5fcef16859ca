/** Limits of `eventlog` that no operator sets. */
export const eventlogLimits = {
  /**
   * The interval at which a process asks for the last numbers of all partitions, for entries of
   * which it was not notified.
   */
  consumerPollMs: 250,
  /** Attempts of a batch of one entry before the entry counts as failed. */
  consumerTriesMax: 5,
}
