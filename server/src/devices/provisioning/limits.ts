/** Limits of `provisioning` that no operator sets. */
export const provisioningLimits = {
  /** Contents of one connector. */
  contentsMax: 1_000,
  /**
   * The part of a content in one row, which is also the memory of an upload or a download. Stored
   * data depend on it.
   */
  contentChunkBytes: 256 * 1024,
  /** Retention of a content that was replaced, for the downloads of it that are in flight. */
  contentReplacedHours: 24,
  /** Activations that wait for their transaction; past it devices receive 503. */
  activationsWaitingMax: 2_000,
  /**
   * Activations that wait, each on a connection to the database, for an identity with a row lock,
   * such as an operator's change in flight; further ones receive 503.
   */
  activationsBlockedMax: 4,
  /** The highest value of the setting `provisioning.registrations_per_minute`. */
  registrationsPerMinuteMax: 1_000_000,
  /** Windows that one transaction records. */
  windowSweepMax: 100,
  /** The interval at which a process puts new and renamed devices into the index of letters. */
  deviceTermsEveryMs: 1_000,
  /** A device's certificate, as PEM. */
  certificateCharsMax: 16 * 1024,
  /** One row of a CSV file. */
  csvRowBytesMax: 4 * 1024 * 1024,
  /** Cells of one row of a CSV file. */
  csvCellsMax: 1_000,
  /** Rows of a CSV file that are in memory before they are written. */
  csvBatchRowsMax: 1_000,
  /** The longest activation window, in hours from now: ten years. */
  windowHoursMax: 10 * 366 * 24,
  /** The shortest password of a device. */
  devicePasswordBytesMin: 20,
  /** Wrong passwords for one identity from one address in a minute; then a 503 without a check. */
  failedDevicePasswordsPerMinuteMax: 20,
  /** Addresses and ranges from which a connector lets devices be provisioned. */
  allowedAddressesMax: 1_000,
  /** The age up to which a cached credential is used without a read of the database. */
  credentialCacheMs: 60_000,
  /**
   * The same for a token while the process reads what others revoke: a fleet that writes once a
   * minute reads no credentials then.
   */
  credentialCachePublishedMs: 3_600_000 / 2,
  /**
   * The time for which a device is not given another new credential: its answer may be in flight.
   */
  rotationFetchAgainMs: 10_000,
  /** Expired rotations that are read at once. */
  rotationSweepMax: 100,
  /**
   * The interval at which a process polls for connections that another process has revoked: by a
   * lock, a removal, an order to activate again, another certificate, a revocation list, or a
   * connector that permits less than before.
   */
  revocationPollMs: 250,
  /** Revocations that one poll reads; then it polls again at once. */
  revocationBatchMax: 1_000,
  /**
   * Retention of a revocation for the processes that have not read it. A process without a
   * connection to the database for longer still reads each credential once a minute. All processes
   * of an instance must agree on it.
   */
  revocationKeptMs: 3_600_000,
  /** The age up to which a connector's cached settings are used without a read of the database. */
  connectorCacheMs: 3_000,
  /** Rows of a deleted connector that one transaction removes. */
  connectorRemovalBatchMax: 2_000,
  /**
   * The time for which the id of a deleted connector stays unused: until no process caches its
   * settings or a credential of its devices.
   */
  connectorRemovalSettleMs: 120_000,
  /** The name of a resource. Stored data depend on it. */
  aliasCharsMax: 100,
  /** The time for which a device counts as online after it was last seen. */
  deviceOnlineMs: 6 * 60_000,
  /** Devices that one statement writes. */
  presenceBatchMax: 1_000,
  /** A certificate signing request, as PEM. */
  csrCharsMax: 16 * 1024,
  /** The shortest modulus of an RSA key in a signing request, in bits. */
  rsaBitsMin: 2048,
  /** An object identifier in a signing request. */
  objectIdBytesMax: 32,
  /** The depth of nested parts without a length in a vendor's answer. */
  derDepthMax: 16,
  /** Months of validity of a device's certificate if nothing is set. */
  certificateMonthsDefault: 12,
  /** The highest number of months that may be set. */
  certificateMonthsMax: 240,
  /** The time before now at which a certificate becomes valid, for clocks that are behind. */
  certificateBackdateMs: 5 * 60_000,
  /** Requests that are being signed at once for one connector; past it 503. */
  vendorCallsOfConnectorMax: 8,
  /** Requests that are being signed at once in a process; past it 503. */
  vendorCallsMax: 64,
  /**
   * Devices that one call of `changeIdentities` names or looks at. The schema of an operation has
   * it.
   */
  deviceChangesMax: 500,
  /** Devices that one transaction deletes: it holds their partitions of the log. */
  deviceDeletionBatchMax: 50,
}
