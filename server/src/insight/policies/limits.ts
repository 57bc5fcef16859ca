/** Limits of `policies` that no operator sets. */
export const policyLimits = {
  /** The age from which bytes that are those of no version are removed, in milliseconds. */
  workInstructionUnusedMs: 3_600_000,
}
