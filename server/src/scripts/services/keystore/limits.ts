/** Limits of `services/keystore` that no operator sets. */
export const keystoreLimits = {
  /**
   * Keys in one answer of the keystore's `list`; the `cursor` goes on behind the last. The schema
   * of an operation has it.
   */
  keystoreListMax: 1_000,
}
