/** Limits of `services/notification` that no operator sets. */
export const notificationLimits = {
  /**
   * The time for which a process leases a delivery. After a crash others take it when this time is
   * over. All processes of an instance must agree on it.
   */
  deliveryLeaseMs: 10_000,
  /**
   * The interval at which a process renews the leases of the deliveries that it runs. All processes
   * of an instance must agree on it.
   */
  deliveryRenewMs: 2_500,
  /** The longest pause that a provider may request. A longer one counts as this. */
  pushRetryAfterMsMax: 3_600_000,
  /** Credentials of one channel beside the usual one, which bindings name by `CredentialSid`. */
  pushCredentialsMax: 100,
  /** Tokens for providers that a process caches. */
  pushTokensMax: 10_000,
  /**
   * The shortest time between two tokens for APNs; Apple refuses more frequent ones. A standard or
   * a provider sets it.
   */
  pushApnsTokenMsMin: 20 * 60_000,
  /** An identity, an endpoint, a tag, an AuthToken. Stored data depend on it. */
  notificationNameCharsMax: 256,
  /** An address of a channel. Stored data depend on it. */
  notificationAddressCharsMax: 4_096,
  /** A text of a notification, or a payload as text, before it is mapped. */
  notificationArgumentCharsMax: 64 * 1024,
  /** The longest Ttl of a notification, and the default. A standard or a provider sets it. */
  notificationTtlSMax: 4 * 7 * 24 * 3_600,
  /** Bindings on a page of listBinding without PageSize. */
  notificationPageDefault: 50,
  /** Bindings on the largest page of listBinding. */
  notificationPageMax: 100,
  /** The last page of listBinding. */
  notificationPagesMax: 1_000,
  /** Bindings for which one transaction makes jobs. */
  notificationExpandMax: 1_000,
  /** The lowest `RatePerSecond` of a channel. */
  notificationRatePerSecondMin: 0.1,
  /** The highest `RatePerSecond` of a channel. */
  notificationRatePerSecondMax: 10_000,
  /** The burst of an idle queue, as a duration of its rate. */
  notificationRateBurstMs: 100,
  /** Different addresses in a row that are to be retried; at the last the queue pauses. */
  notificationFailuresMax: 10,
  /**
   * Busy devices, over their rate, at which a queue pauses, if they are more than
   * [notificationBusyPercentMax](#notificationbusypercentmax) of the latest ones.
   */
  notificationBusyDevicesMin: 5,
  /** The share of busy devices among those with a recent answer. Past it the queue pauses. */
  notificationBusyPercentMax: 50,
  /** The time for which the answer of a device counts for that share. */
  notificationBusyWindowMs: 60_000,
  /** Busy devices that are cached for one queue. For one that is dropped the wait begins anew. */
  notificationBusyDevicesMax: 500,
  /** The latest answers that make the failure rate of a configuration, for each credential. */
  notificationAnswersMax: 100,
  /**
   * The share of these answers that may reject the address or the configuration. Past it no binding
   * is removed for an answer that a wrong configuration would get as well.
   */
  notificationSuspectPercentMax: 30,
  /** Such answers at which the queue becomes faulty, which operators can read. */
  notificationSuspectAnswersMin: 10,
  /** The time for a provider's answer. */
  notificationAttemptMsMax: 30_000,
  /**
   * The time for which a notification with a `Ttl` of 0 may be queued before its attempt. Then it
   * fails.
   */
  notificationOnceMsMax: 10_000,
  /** Attempts of one notification. */
  notificationAttemptsMax: 10,
  /** The wait before the second attempt; each further wait is twice as long. */
  notificationRetryMs: 1_000,
  /** The longest of these waits, unless the provider requests a longer one. */
  notificationRetryMsMax: 10 * 60_000,
  /** The body of a request to the legacy REST API: enough for 10,000 phone numbers. */
  notificationRestBytesMax: 1024 * 1024,
  /** The fields of such a request, in its body or in its query. */
  notificationRestFieldsMax: 10_100,
  /** Bindings on the largest page that such a request can have. */
  notificationRestPageMax: 1_000,
  /** Requests of one account in flight in a process. The next one receives 429. */
  notificationRestRunsMax: 100,
  /** Wrong tokens of one account from one address in a minute; past it no token is checked. */
  notificationRestFailuresPerMinuteMax: 30,
  /** Bindings of an export in one transaction, and in one request. */
  notificationImportBatchMax: 500,
  /** A receipt of a provider. */
  notificationReceiptBytesMax: 64 * 1024,
  /** The longest difference between the time of a webhook's receipt and ours. */
  notificationReceiptSkewS: 300,
  /** The pause between two of these lookups. */
  notificationReceiptPauseMs: 200,
}
