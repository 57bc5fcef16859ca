/** Limits of `outbound` that no operator sets. */
export const outboundLimits = {
  /** Origins to which connections are open at once. */
  outboundOriginsMax: 1_000,
  /**
   * The same for a request that must not be sent twice, such as a POST: the server may be closing
   * the connection, and a GET alone is sent once more then.
   */
  outboundOnceIdleMsMax: 1_000,
  /** The time for connecting on behalf of a guest, whatever the guest's own time is. */
  outboundGuestConnectMsMax: 10_000,
  /**
   * Sockets of one guest, which is a solution: open, idle, and those that still connect. Past it a
   * call that needs another one receives 503.
   */
  outboundGuestSocketsMax: 200,
}
