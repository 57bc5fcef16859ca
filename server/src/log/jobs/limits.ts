/** Limits of `jobs` that no operator sets. */
export const jobLimits = {
  /**
   * The interval at which a process renews its leases, and polls for jobs that another process has
   * lost. All processes of an instance must agree on it.
   */
  jobRenewMs: 2_500,
  /** The interval at which a process polls for due jobs, if none is due sooner. */
  jobPollMs: 250,
  /** Outcomes of jobs that share a transaction. */
  jobSettleBatchMax: 1_000,
}
