/** Limits of `services/device` that no operator sets. */
export const deviceServiceLimits = {
  /**
   * Devices in one answer of `listIdentities`, which scripts call. The schema of an operation has
   * it.
   */
  deviceListMax: 5_000,
  /** The most that `offset` of `listIdentities` skips; `before` goes on from anywhere. */
  deviceOffsetMax: 100_000,
  /**
   * Devices in one call of `addIdentities` or `updateIdentities`. The schema of an operation has
   * it.
   */
  deviceBatchMax: 200,
}
