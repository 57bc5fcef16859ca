/** Limits of `http` that no operator sets. */
export const listenerLimits = {
  /** The interval at which files of server certificates are checked for changes. */
  certificateLookMs: 5_000,
}
