/** Limits of `services/interface` that no operator sets. */
export const interfaceLimits = {
  /**
   * Steps of the check of one payload: a value is a step, a match states times characters. The
   * worst pattern takes some 0.2 µs a step, so that no check delays other work for long.
   */
  payloadStepsMax: 100_000,
  /**
   * The age up to which a cached exposed solution is used without a read of the database. A process
   * that changes one uses the change at once.
   */
  interfaceCacheMs: 1_000,
  /** Subscribers of one exposed solution. */
  subscribersMax: 5_000,
  /**
   * Changes, and subscribers of each, that the refusal of a [breaking
   * change](interface.md#breaking-changes) names; of the others it has the number. `npx millrace
   * interface check` names all.
   */
  breakingNamedMax: 10,
  /** Subscribers that one `trigger` reads, or hands to deliveries, at once. */
  triggerBatchMax: 500,
  /** A quota of calls a day or a month. */
  quotaCallsMax: 1_000_000_000_000,
}
