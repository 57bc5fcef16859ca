/** Limits of `acme` that no operator sets. */
export const acmeLimits = {
  /** The interval at which certificates of an ACME server are checked for their end. */
  acmeLookMs: 60_000,
  /** The time for one order, with all of its challenges. */
  acmeOrderMsMax: 10 * 60_000,
  /**
   * The time for which a process leases an order of certificates. It renews the lease while it
   * orders; after one that was killed, another process orders when it is over.
   */
  acmeLeaseMs: 30_000,
  /** The time between an order that failed and the next one; it doubles with each failure. */
  acmeRetryMs: 10 * 60_000,
  /** The longest time between an order that failed and the next one. */
  acmeRetryMsMax: 12 * 3_600_000,
}
