/** Limits of `deletion` that no operator sets. */
export const deletionLimits = {
  /** The time after which the rows of a deleted business are looked for once more. */
  businessRemovalSettleMs: 120_000,
}
