/** Limits of `services/http` that no operator sets. */
export const httpClientLimits = {
  /**
   * The time for connecting of a script's HTTP request if the script does not set `conn_timeout`.
   */
  httpConnectMs: 3_000,
  /** The longest `conn_timeout` that a script may set. More is invalid: the call returns nil. */
  httpConnectMsMax: 10_000,
  /**
   * The time from the start of a script's HTTP request to the answer's last byte if the script does
   * not set `recv_timeout`. Redirects share the time.
   */
  httpReceiveMs: 5_000,
  /** The longest `recv_timeout` that a script may set. More is invalid: the call returns nil. */
  httpReceiveMsMax: 20_000,
  /** Redirects that one HTTP request of a script follows. One more is an error. */
  httpRedirectsMax: 5,
  /** The URL of a script's HTTP request, as the script gives it. */
  httpUrlCharsMax: 8 * 1024,
  /** The body of a script's HTTP request once credentials are inserted. */
  httpBodyBytesMax: 2 * 1024 * 1024,
  /** HTTP requests of one solution at once. One more receives 429. */
  httpRequestsMax: 20,
  /** Each of `key`, `cert` and `cacerts` in `sslOptions`. */
  httpPemCharsMax: 32 * 1024,
  /**
   * Private addresses that the operator may open for the scripts of one business (`millrace
   * outbound allow`).
   */
  httpAllowMax: 100,
}
