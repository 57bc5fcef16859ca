import { apiLimits } from './limits/api.ts'
import { databaseLimits } from './limits/database.ts'
import { deviceLimits } from './limits/devices.ts'
import { insightLimits } from './limits/insight.ts'
import { guard, type LimitDefinition, published, shared, standard, stored } from './limits/kinds.ts'
import { logLimits } from './limits/log.ts'
import { peopleLimits } from './limits/people.ts'
import { provisioningLimits } from './limits/provisioning.ts'
import { retentionLimits } from './limits/retention.ts'
import { scriptLimits } from './limits/scripts.ts'

const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * The limits that operators set, by topic, and fixed ones that several modules have in common; a
 * plain number is internal. docs/reference/limits.md is generated from the files in limits/ and
 * their comments; limits/relations.ts has the relations between limits.
 */
const table = {
  ...deviceLimits,
  ...provisioningLimits,
  ...logLimits,
  ...retentionLimits,
  ...peopleLimits,
  ...apiLimits,
  ...insightLimits,
  ...scriptLimits,
  ...databaseLimits,

  /**
   * The body of an activation: the longest identity and password, each byte percent-encoded. A
   * larger one is answered 413 before it is read.
   */
  activationBodyBytesMax: guard(8 * kib),
  /** Fields of an activation's body, of a download's query or of a provider's receipt. */
  formFieldsMax: guard(100),
  /** A header with a date, a range or a time; a longer one is ignored. */
  shortHeaderCharsMax: guard(128),
  /** Aliases in one write, read or record. */
  aliasesPerRequestMax: 1000,
  /** Points in one record call. */
  pointsPerRecordMax: 10_000,
  /** The time for the TLS handshake of a connection, of HTTPS and of MQTT. */
  tlsHandshakeMsMax: 30_000,
  /**
   * The time for which the rest of an unreadable request is read, so that the client receives the
   * answer.
   */
  refusalReadMsMax: 1_000,
  /**
   * The time between probes of TCP that find out if a device that has ended its side of the
   * connection still waits for the answer to its long poll.
   */
  halfOpenProbeMs: 15_000,
  /** Hosts whose server certificates are cached in memory. */
  hostCertificatesMax: 1_000,
  /** The interval at which files of server certificates are checked for changes. */
  certificateLookMs: 5_000,
  /** The shortest interval at which metrics ask the database. */
  metricsAskMs: 10_000,
  /** Certificates of which metrics have the end. */
  metricsFilesMax: 100,
  /** Modules of which metrics have their own values; those of all others are one, `other`. */
  metricsModulesMax: 100,
  /** The time in which equal warnings and errors of the log are one line, and a count behind it. */
  logWindowMs: 10_000,
  /** Different lines of one message in that time; more are counted only. */
  logLinesOfMessageMax: 20,
  /** Messages that are counted at once. */
  logMessagesMax: 1_000,
  /** The time after which spans of traces are sent together. */
  traceSendMs: 5_000,
  /** The time for sending them. */
  traceSendMsMax: 10_000,
  /** Spans that wait to be sent; further ones are dropped. */
  traceSpansMax: 10_000,
  /** Spans that one request to the collector has. */
  traceBatchSpansMax: guard(512),
  /** Links of a span that are sent; a batch of a consumer can have more. */
  traceLinksMax: guard(128),
  /** The answer of a collector: an object of few fields, or a sentence about an error. */
  traceAnswerBytesMax: guard(64 * kib),
  /** Entries that log lines and traces name of one call of a module with values of several. */
  traceCausesMax: 20,
  /** A header of the PROXY protocol. */
  proxyHeaderBytesMax: guard(4 * kib),
  /** The line of version 1 of the PROXY protocol, with its end. */
  proxyLineBytesMax: standard(107),
  /** Clients that are known at once of one connection of a proxy, and their certificates of all. */
  proxiedClientsMax: 1_000,
  /** The start of a TLS handshake that is read to choose the kind of certificate. */
  clientHelloBytesMax: guard(17 * kib),
  /** Server certificates that are read from one folder. */
  certificateFilesMax: 1_000,
  /** The interval at which certificates of an ACME server are checked for their end. */
  acmeLookMs: minuteMs,
  /** The time for one request to the ACME server. */
  acmeRequestMsMax: 30_000,
  /** The time for one order, with all of its challenges. */
  acmeOrderMsMax: 10 * minuteMs,
  /** The time until the ACME server is asked again how far an order is; it doubles, to 30 s. */
  acmeAskMs: 1_000,
  /** How often it is asked. */
  acmeAsksMax: 12,
  /**
   * The time for which a process leases an order of certificates. It renews the lease while it
   * orders; after one that was killed, another process orders when it is over.
   */
  acmeLeaseMs: 30_000,
  /** The time between an order that failed and the next one; it doubles with each failure. */
  acmeRetryMs: 10 * minuteMs,
  /** The longest time between an order that failed and the next one. */
  acmeRetryMsMax: 12 * hourMs,
  /** The time for one call of the program that sets TXT records. */
  acmeHookMsMax: 5 * minuteMs,
  /** What is read of that program's output. */
  acmeHookBytesMax: 64 * kib,
  /** Devices for which the log records the end of one shared connection. */
  devicesPerSocketMax: 100,
  /** Aliases that a line of the log names. */
  aliasesShownMax: 5,

  /** MQTT connections of one device. Past it the oldest is closed. */
  mqttClientsPerDeviceMax: 10,
  /** The time for the CONNECT of an MQTT client. */
  mqttConnectMsMax: 10_000,
  /** The time for which an anonymous MQTT connection is kept: long enough to activate. */
  mqttAnonymousMsMax: minuteMs,
  /** An MQTT packet other than PUBLISH. The connection is closed before the rest of it is read. */
  mqttControlBytesMax: guard(64 * kib),
  /**
   * Topics of one MQTT SUBSCRIBE or UNSUBSCRIBE. The connection of a client that names more is
   * closed.
   */
  mqttTopicsMax: 100,
  /**
   * MQTT packets that a process handles in one turn of its event loop; each topic of a SUBSCRIBE
   * counts as two. Packets that come with the CONNECT wait until it is answered.
   */
  mqttPacketsPerTurn: 128,
  /** Packets of one connection that are handled before those of other connections that wait. */
  mqttPacketsShare: 32,
  /**
   * Bytes of one MQTT client that wait for their commit. Past it nothing more is read from it until
   * they are durable. A single message may be larger.
   */
  mqttInFlightBytesMax: 256 * kib,
  /** Topics to which one MQTT client is subscribed. More are refused in the SUBACK. */
  mqttSubscriptionsMax: 100,
  /** The time for which an MQTT client may leave data unread. Then it is closed. */
  mqttUnreadMsMax: 10_000,
  /**
   * Bytes of values set from the cloud that wait for one MQTT client. Past it the client is closed.
   * The values in force are pushed when it connects again.
   */
  mqttPushBytesMax: 4 * mib,
  /**
   * The interval at which MQTT connections are checked for withdrawn credentials and packets that
   * were begun long ago.
   */
  mqttCheckMs: 500,
  /** The shortest interval at which pings of one client cause a read of the values set for it. */
  mqttCatchUpMsMin: 5_000,

  /** Statements that a connection to the database keeps prepared. */
  preparedTextsMax: 2_000,
  /** Attempts of a transaction that lost a race. */
  transactionTriesMax: 8,
  /** The `Retry-After` of a 503 to a device. */
  retryAfterS: 1,
  /** Transactions that append to the log at once; each serves some of the partitions. */
  logWriters: 2,
  /** Entries of a partition that are looked at to count the events which wait for a solution. */
  logRangeCountedMax: 20_000,
  /**
   * The time for which a process leases a partition to read it. After a crash others take it when
   * this time is over.
   */
  partitionLeaseMs: shared(3_000),
  /** The interval at which a process renews its leases, and looks for partitions that are free. */
  partitionLeaseRenewMs: shared(1_000),
  /** The pause between two notifications that a process sends to the others. */
  hintPauseMs: 100,
  /** The pause after a notification could not be sent or its connection was lost again. */
  hintRetryMs: 5_000,
  /**
   * The longest time for which the answer to a request that changes a solution waits until the
   * other processes use the change, if notifications do not get through. No cache of solutions is
   * used for longer.
   */
  hintReachMs: 1_000,
  /** The interval at which a request checks whether all processes have answered. */
  hintAnswerPollMs: 10,
  /** Keys that a notification names; past it the notification means any key. */
  hintKeysMax: 100,
  /** Characters of the keys that a notification names; past it the notification means any key. */
  hintCharsMax: standard(4_000),
  /** The interval at which a process polls for values that other processes set. */
  setsPollMs: 1_000,
  /** The pause between a notification and the read of the values that were set. */
  setsPauseMs: 10,
  /** Set values of a partition that one poll reads. */
  setsReadMax: 1_000,
  /** Values set by the process itself that it stores until its poll has passed them. */
  setsRememberedMax: 100_000,
  /**
   * The interval at which a process asks for the last numbers of all partitions, for entries of
   * which it was not notified.
   */
  consumerPollMs: 250,
  /** The time after which a consumer stores its place behind batches that had no effects. */
  consumerPlaceMs: 500,
  /** Entries of a partition that a process keeps in memory for its consumers. */
  recentEntriesMax: 4_000,
  /** Characters of the bodies of these entries. */
  recentBytesMax: 4 * mib,
  /** The longest pause between two attempts of a batch that fails. */
  consumerRetryMsMax: 10_000,
  /** Attempts of a batch of one entry before the entry counts as failed. */
  consumerTriesMax: 5,
  /** Entries that one step of retention removes. */
  retentionBatchMax: 10_000,
  /** Signals of whose values one pass of retention looks for old ones; the next pass goes on. */
  retentionSignalsMax: 100_000,
  /** The time after which a process reads the quotas of businesses again. */
  businessQuotaCacheMs: 5_000,
  /** The interval at which a process adds up what businesses used. */
  quotaFlushMs: 5_000,
  /** The time for which a process may use what it has taken of a rate. */
  quotaLeaseMs: 1_000,
  /** The shortest time for which a process refuses without asking again. */
  quotaRefusalMs: 100,
  /** The longest of these times. */
  quotaRefusalMsMax: 5_000,
  /** The longest period for which data are set to be kept: ten years. */
  retentionHoursMax: 10 * 366 * 24,
  /** The time for which retention waits for the lock of a week of values; it tries again later. */
  partitionLockMsMax: 500,
  /**
   * The difference between the clock and the time that has passed from which the clock counts as
   * set.
   */
  upkeepDriftMsMax: 10 * minuteMs,

  /** The time within which repetitions of a device become one line of the connector's log. */
  lineRepeatMs: 30_000,
  /** Recent lines that a process stores to fold repetitions. */
  linesRememberedMax: 10_000,
  /**
   * Lines that a log takes in a minute: of a connector's refusals, of the rest of its lines, of
   * each kind of a solution's lines. Entries do not count. Those past it are counted in one line.
   */
  linesPerMinuteMax: 600,
  /** The interval at which lines are written to the activity logs. */
  lineFlushMs: 500,
  /** Lines that one statement writes. */
  lineBatchMax: 1_000,
  /**
   * Lines of connectors, and as many of solutions, that wait in a process to be written; past it
   * they are left out, and counted.
   */
  linesWaitingMax: 10_000,
  /** One line of a solution's or an asset's log. The rest is cut. */
  lineCharsMax: 4_000,
  /** The message of one line of a connector's log, which a client may have chosen. */
  connectorLineCharsMax: 500,
  /** Lines of a log that one filtered query reads. */
  lineSearchMax: 20_000,
  /**
   * The largest write whose values its line of the log shows; of a longer one the line has only the
   * size.
   */
  lineBodyBytesMax: 4 * kib,
  /**
   * The interval at which a live view of a connector's log polls for new lines without a
   * notification.
   */
  tailPollMs: 1_000,
  /** The pause of a live view after it found lines. */
  tailPauseMs: 200,
  /** The longest delay with which a line may become visible and still be shown live. */
  tailOverlapMs: 5_000,
  /** Lines that a live view shows at once; past it some are skipped, and a line counts them. */
  tailPageMax: 500,
  /** Lines that a live view with a filter reads at once. */
  tailSearchMax: 5_000,
  /** The interval at which a silent live view sends a comment, so that no proxy closes it. */
  logStreamHeartbeatMs: 15_000,
  /** The interval at which the session of a live view is checked. */
  logStreamCheckMs: 500,
  /** Streams of changes that are open at once in a process: one for each browser. */
  changeStreamsMax: 2_000,
  /** Of these, those of one user or API token. */
  changeStreamsOfHolderMax: 50,
  /** The pause between two events of a stream of changes; what comes in it goes out together. */
  changesPauseMs: 1_000,
  /** Owners of activity logs of which a process knows the business. */
  changesOwnersMax: 20_000,
  /** Bytes that a reader of a live view may leave unread before it is cut. */
  logStreamWaitingBytesMax: mib,

  /** Contents of one connector. */
  contentsMax: 1_000,
  /** Campaigns of contents of one connector. */
  campaignsMax: 100,
  /** The id of a content. */
  contentIdCharsMax: stored(128),
  /** The part of a content in one row, which is also the memory of an upload or a download. */
  contentChunkBytes: stored(256 * kib),
  /** Uploads of contents at once in a process. */
  contentUploadsMax: 16,
  /** The time for an upload of a content, or for any request with a body. */
  contentUploadMsMax: hourMs,
  /**
   * The time for which the rest of an upload, or of a JSON body, that was refused is read and
   * discarded, so that its sender receives the answer.
   */
  uploadDiscardMs: 5_000,
  /** Retention of a content that was replaced, for the downloads of it that are in flight. */
  contentReplacedHours: 24,
  /** The time without progress after which the download of a device is cut. */
  downloadStallMsMax: 60_000,

  /** Activations in one transaction. */
  activationBatchMax: 100,
  /** Activations that wait for their transaction; past it devices receive 503. */
  activationsWaitingMax: 2_000,
  /**
   * Activations that wait, each on a connection to the database, for an identity with a row lock,
   * such as an operator's change in flight; further ones receive 503.
   */
  activationsBlockedMax: 4,
  /** The time for which such an activation waits; then it receives 503. */
  activationBlockedMsMax: 2_000,
  /** The highest value of the setting `provisioning.registrations_per_minute`. */
  registrationsPerMinuteMax: 1_000_000,
  /**
   * Addresses, of each connector, whose self-registrations are counted in a process; past it the
   * address whose minute began first is dropped.
   */
  registrationAddressesMax: 100_000,
  /** The interval at which a process records activation windows that closed. */
  windowSweepMs: 1_000,
  /** Windows that one transaction records. */
  windowSweepMax: 100,
  /** The interval at which a process puts new and renamed devices into the index of letters. */
  deviceTermsEveryMs: 1_000,
  /** Devices that it puts there at most each time; searches look at the others one by one. */
  deviceTermsPerLook: 2_000,
  /** Devices that one transaction puts there. */
  deviceTermsBatchMax: 100,
  /** Identities that the index of letters narrows a list to; one of more is read in its order. */
  deviceTermMatchesMax: 1_000,
  /** A device's identity. */
  identityCharsMax: stored(512),
  /** Tags of one identity, signal or asset. */
  tagsMax: 20,
  /** A device's certificate, as PEM. */
  certificateCharsMax: guard(16 * kib),
  /** A revocation list as it is uploaded, PEM or DER: some 30,000 revoked certificates. */
  crlBytesMax: mib,
  /** The number of a revocation list, as RFC 5280 has it. */
  crlNumberBytesMax: standard(20),
  /** Revocation lists that a process caches, of the connectors whose devices came last. */
  crlCacheMax: 50,
  /** One row of a CSV file. */
  csvRowBytesMax: guard(4 * mib),
  /** Cells of one row of a CSV file. */
  csvCellsMax: guard(1_000),
  /** Rows of a CSV file that are in memory before they are written. */
  csvBatchRowsMax: 1_000,
  /** Bytes of these rows; one row may be larger, then it goes alone. */
  csvBatchBytesMax: 512 * kib,
  /** The time for which a client may send nothing of the file, or read nothing of the answer. */
  csvStallMsMax: 2 * minuteMs,
  /** CSV files that a process imports at once; past it an operator receives 503. */
  csvImportsMax: 4,
  /** The longest activation window, in hours from now: ten years. */
  windowHoursMax: 10 * 366 * 24,
  /** The shortest password of a device. */
  devicePasswordBytesMin: guard(20),
  /** The longest password of a device. */
  devicePasswordBytesMax: guard(512),
  /** Wrong passwords for one identity from one address in a minute; then a 503 without a check. */
  failedDevicePasswordsPerMinuteMax: 20,
  /** Colons of `<identity>:<password>` at which the password may begin. */
  passwordColonsMax: guard(32),
  /** Addresses and ranges from which a connector lets devices be provisioned. */
  allowedAddressesMax: 1_000,
  /** The age up to which a cached credential is used without a read of the database. */
  credentialCacheMs: 60_000,
  /**
   * The same for a token while the process reads what others revoke: a fleet that writes once a
   * minute reads no credentials then.
   */
  credentialCachePublishedMs: hourMs / 2,
  /** Credentials that one statement reads. */
  credentialReadsBatchMax: 1_000,
  /** Reads of credentials that wait in a process. Past it requests are refused with 503. */
  credentialReadsWaitingMax: 100_000,
  /**
   * The time for which a device is not given another new credential: its answer may be in flight.
   */
  rotationFetchAgainMs: 10_000,
  /** Rows of a table, as COPY writes them, that a backup compresses at once. */
  backupPartBytes: guard(8 * mib),
  /** The lists at the begin and the end of a backup. */
  backupListBytesMax: guard(512 * mib),
  /** The interval at which expired rotations are recorded. */
  rotationSweepMs: 1_000,
  /** Expired rotations that are read at once. */
  rotationSweepMax: 100,
  /**
   * The interval at which a process polls for connections that another process has revoked: by a
   * lock, a removal, an order to activate again, another certificate, a revocation list, or a
   * connector that permits less than before.
   */
  revocationPollMs: 250,
  /** The age of the last poll up to which cached credentials are used for longer. */
  revocationReadMs: 5_000,
  /** Revocations that one poll reads; then it polls again at once. */
  revocationBatchMax: 1_000,
  /**
   * Retention of a revocation for the processes that have not read it. A process without a
   * connection to the database for longer still reads each credential once a minute.
   */
  revocationKeptMs: shared(hourMs),
  /** The label of a connector's host, which is its id. */
  hostLabelCharsMax: standard(63),
  /** Labels that are reserved so for one business. Past it the oldest are freed. */
  hostLabelsKeptMax: 1_000,
  /** Labels whose targets a process caches. */
  hostCacheMax: 10_000,
  /** The age up to which a cached label is used. */
  hostCacheMs: 1_000,
  /** Labels that a start logs because they could not be taken today. */
  hostsReportedMax: 100,
  /** Connectors that a process caches. */
  connectorCacheMax: 10_000,
  /** The age up to which a connector's cached settings are used without a read of the database. */
  connectorCacheMs: 3_000,
  /** The interval at which remaining rows of deleted connectors are removed. */
  connectorRemovalEveryMs: 1_000,
  /** Rows of a deleted connector that one transaction removes. */
  connectorRemovalBatchMax: 2_000,
  /** Deleted connectors of one round. */
  connectorRemovalsMax: 100,
  /**
   * The time for which the id of a deleted connector stays unused: until no process caches its
   * settings or a credential of its devices.
   */
  connectorRemovalSettleMs: 120_000,
  /** Things of one kind that the preview and the refusal of a deletion name. */
  dependantsNamedMax: 10,
  /** Rows of a deleted business that one transaction removes. */
  businessRemovalBatchMax: 1_000,
  /** Blocks of a table without an index for it that one transaction reads for such rows. */
  businessRemovalBlocksMax: 512,
  /** The time after which the rows of a deleted business are looked for once more. */
  businessRemovalSettleMs: 120_000,
  /** The interval at which such a deletion checks whether it may go on. */
  businessRemovalEveryMs: 1_000,
  /** The time for which it can be asked that a business was deleted. */
  businessRemovalKeptHours: 30 * 24,
  /** The name of a resource. */
  aliasCharsMax: stored(100),
  /** Literals and ranges that one resource allows. */
  allowedMax: guard(100),
  /** A text within settings: a description, a unit, an allowed value, an initial value, a tag. */
  settingCharsMax: guard(1_000),
  /** The resources of one connector, as JSON: a connector in memory stays small. */
  resourcesBytesMax: 64 * kib,
  /** Current values in one answer: of a device, or of a page of devices. */
  stateBytesMax: 16 * mib,
  /** A device's secret token. */
  tokenChars: stored(40),
  /** The time for which a device counts as online after it was last seen. */
  deviceOnlineMs: 6 * minuteMs,
  /**
   * The lead that stamps may have over the wall clock after it was set back; a stored stamp that is
   * further ahead counts as made by a wrong clock.
   */
  clockLeadMsMax: 1_000,
  /** Devices that wait to be written as seen; past it a sighting is dropped. */
  presenceNotesMax: 100_000,
  /** Devices that one statement writes. */
  presenceBatchMax: 1_000,
  /** The age up to which a verified password is accepted without another run of argon2. */
  passwordCacheMs: 5 * minuteMs,

  /** A certificate signing request, as PEM. */
  csrCharsMax: guard(16 * kib),
  /** The shortest modulus of an RSA key in a signing request, in bits. */
  rsaBitsMin: guard(2048),
  /** The longest modulus of such a key, in bits. */
  rsaBitsMax: guard(8192),
  /** The smallest public exponent of such a key. */
  rsaExponentMin: guard(65_537),
  /** The largest public exponent of such a key. */
  rsaExponentMax: guard(2 ** 32 - 1),
  /** An object identifier in a signing request. */
  objectIdBytesMax: guard(32),
  /** The depth of nested parts without a length in a vendor's answer. */
  derDepthMax: guard(16),
  /** Months of validity of a device's certificate if nothing is set. */
  certificateMonthsDefault: 12,
  /** The highest number of months that may be set. */
  certificateMonthsMax: 240,
  /** The time before now at which a certificate becomes valid, for clocks that are behind. */
  certificateBackdateMs: 5 * minuteMs,
  /** Months of validity of a connector's built-in authority. */
  authorityMonths: 240,
  /** Connecting to a certificate vendor. */
  vendorConnectMsMax: 3_000,
  /** One call of a certificate vendor, from first byte out to last byte in. */
  vendorCallMsMax: 20_000,
  /** Requests that are being signed at once for one connector; past it 503. */
  vendorCallsOfConnectorMax: 8,
  /** Requests that are being signed at once in a process; past it 503. */
  vendorCallsMax: 64,
  /** A certificate vendor's answer. */
  vendorAnswerBytesMax: guard(256 * kib),
  /** Certificates in a vendor's answer, or in a connector's client CA. */
  vendorCertificatesMax: guard(20),
  /** Characters of a vendor's own message that are repeated. */
  vendorSentenceCharsMax: 300,

  /** The longest password of an account. */
  accountPasswordCharsMax: guard(512),
  /** Of these, the checks for unknown e-mail addresses; more wait for one to end. */
  passwordChecksUnknownMax: 2,
  /** Network addresses from which a user has signed in that are remembered. */
  familiarAddressesMax: 50,
  /** Days for which such an address is remembered after its last sign-in. */
  familiarAddressDays: 90,
  /** Password checks that wait for one to end; past it a sign-in receives 503. */
  passwordChecksWaitingMax: 64,
  /** E-mail addresses whose failed sign-ins, or verified passwords, are cached. */
  signInsRememberedMax: 10_000,
  /** The name of the program that opened a session; longer ones are cut. */
  userAgentCharsMax: 200,
  /** Recovery codes of a user with a second step. */
  recoveryCodes: 10,
  /** A code of the second step as it is typed. */
  codeCharsMax: guard(64),
  /** The time in which one must come back from a sign-in provider, and the page take a session. */
  oidcSignInMinutes: 10,
  /** The time for which the endpoints of a provider are known before it is asked again. */
  oidcDiscoveryMs: 5 * minuteMs,
  /** Sign-ins of one business that are at the provider; past it 503. */
  oidcSignInsMax: 1_000,
  /** Network addresses, for each kind, that are counted; past it the oldest are forgotten. */
  anonymousAddressesMax: 100_000,
  /** The time of one call of a sign-in provider. */
  oidcCallMsMax: 10_000,
  /** An answer of a sign-in provider. */
  oidcAnswerBytesMax: guard(256 * kib),
  /** The address of a sign-in provider. */
  oidcUrlCharsMax: guard(1_000),
  /** The secret of the instance at a sign-in provider. */
  oidcSecretCharsMax: guard(1_000),
  /** Domains of e-mail addresses that may sign in at a business's provider. */
  oidcDomainsMax: guard(50),
  /** The days after which an API token expires at the latest, if it expires. */
  apiTokenDaysMax: 3_660,
  /**
   * The age up to which a cached session or API token is used without a read of the database: a
   * revocation made by another process holds after this even if its hint got lost; one made by this
   * process, at once.
   */
  accountCacheMs: 800,
  /** Sessions and API tokens that are cached, of each. */
  accountCacheMax: 10_000,
  /** The interval at which the last use of an API token is noted. */
  tokenUseNotedMs: 60_000,
  /** Network addresses and ranges from which one API token is taken. */
  tokenAddressesMax: guard(50),
  /** Groups that one user or API token has; all below them are seen, too. */
  groupsOfHolderMax: guard(50),
  /** Open invitations of one business. */
  invitationsMax: 1_000,
  /** Links that reset a password, to one user in the time of one link; more are not sent. */
  passwordResetsMax: 3,
  /** Days for which invitations, links and sessions stay listed once they have expired. */
  expiredLinkDays: 30,
  /** The name of that to which something was done, in the audit log. */
  auditTargetCharsMax: 300,
  /** Roles of one business. */
  rolesMax: 200,
  /** An e-mail address. */
  emailCharsMax: standard(254),
  /** Recipients of one mail. */
  mailRecipientsMax: 50,
  /** The subject of a mail. */
  mailSubjectCharsMax: guard(500),
  /** The text and the HTML of a mail together. */
  mailBodyBytesMax: 256 * kib,
  /** Mails that are sent at once by a process; one business has at most one fewer. */
  mailsAtOnceMax: 4,
  /** Mails that wait for one to be sent; past it 503. */
  mailsWaitingMax: 200,
  /** Mails that an instance without a mail server keeps for its operator; the oldest go first. */
  mailsStoredMax: 200,
  /** Senders of mails, addresses and domains, that the operator allows to a business. */
  mailSendersMax: 100,

  /** The body of a sign-in: the longest address and password, each letter as an escape. */
  signInBodyBytesMax: guard(8 * kib),
  /** The depth of nested JSON: deeper values could not be written again. */
  jsonDepthMax: guard(200),
  /** Values in one text of JSON; scripts have a limit of their own. Texts may be twice as many. */
  jsonValuesMax: guard(20_000),
  /** Values in the JSON of a device's value, most of which are numbers. */
  deviceJsonValuesMax: guard(100_000),
  /** Characters of a large text of JSON that are read in one turn of the event loop. */
  jsonPartCharsMax: 512 * kib,
  /** Fields of one object in such a text. */
  jsonFieldsMax: guard(5_000),
  /** Fields of a file whose values are refused, each with a sentence of its own. */
  refusedFieldsNotedMax: 100,
  /** Hours of the ledger in one answer. */
  ledgerHoursMax: 1_000,
  /** Files of the console's build that are served. */
  consoleFilesMax: 1_000,
  /** One file of the console's build. */
  consoleFileBytesMax: 8 * mib,
  /** The least size of a file of the console that is sent compressed. */
  consoleCompressedBytesMin: kib,
  /** Failures of one stage that a count of them reads; there may be more. */
  failuresCountedMax: 10_000,
  /** Devices in one answer of `listIdentities`, which scripts call. */
  deviceListMax: published(5_000),
  /** The most that `offset` of `listIdentities` skips; `before` goes on from anywhere. */
  deviceOffsetMax: 100_000,
  /** Identities that a regular expression of `listIdentities` is matched with; past it 413. */
  deviceMatchesScanned: 200_000,
  /** Identities that a regular expression of `listIdentities` may find; past it 413. */
  deviceMatchesMax: 10_000,
  /** Devices in one call of `addIdentities` or `updateIdentities`. */
  deviceBatchMax: published(200),
  /** Devices that one call of `changeIdentities` names or looks at. */
  deviceChangesMax: published(500),
  /** Devices that one transaction deletes: it holds their partitions of the log. */
  deviceDeletionBatchMax: 50,
  /** Rows of a list whose length is not set. */
  pageDefault: 100,

  /** A GraphQL document with its variables. */
  graphqlBodyBytesMax: 256 * kib,
  /** Characters of a text to search for: the names of assets, devices, groups and others. */
  searchTextMax: 200,
  /** Tokens in a GraphQL document. */
  graphqlTokensMax: 5_000,
  /** Nested selections in a GraphQL document. */
  graphqlDepthMax: 15,
  /** Selections of a GraphQL document, with every fragment expanded. */
  graphqlSelectionsMax: 1_000,
  /** Selections of one name at one place of a GraphQL document. */
  graphqlRepeatsMax: 50,
  /** Aliases of a GraphQL document, with every fragment expanded. */
  graphqlAliasesMax: 500,
  /** Directives in the text of a GraphQL document. */
  graphqlDirectivesMax: 100,
  /** Items of one list in the arguments of a GraphQL field. */
  graphqlListMax: 1_000,
  /** Rows that the estimate of a document counts for a list that has no limit of its own. */
  graphqlListAssumed: 20,
  /** Fields that are estimated at most to find smaller limits for a GraphQL document. */
  graphqlSmallerFieldsMax: 5_000,
  /** What a statement adds to the cost of a GraphQL document. */
  graphqlStatementCost: 100,
  /** Statements that the estimate of a document counts for each change. */
  graphqlChangeStatements: 20,
  /** Faults of a document, or of its variables, that one answer names. */
  graphqlErrorsMax: 5,
  /** Selections of `__type` in a GraphQL document. In introspection, nothing else has an alias. */
  graphqlTypesAskedMax: guard(5),
  /** Fields in one GraphQL answer, counted as rows times the document's selections. */
  graphqlFieldsMax: 500_000,
  /** Reads of single objects in one GraphQL request: histories, logs, states, devices. */
  graphqlLookupsMax: 100,
  /** The window in which the requests of a caller are counted; it begins with the first. */
  graphqlWindowMs: 10_000,
  /** Of these, those of one user or API token. */
  graphqlSubscriptionsOfHolderMax: 50,
  /** The interval at which a subscription looks for what is new. */
  graphqlSubscriptionPollMs: 250,
  /** The interval at which the credentials of open subscriptions are checked again. */
  graphqlSubscriptionCheckMs: 500,
  /** The interval at which a stream of events that is silent shows that it lives. */
  graphqlSubscriptionBeatMs: 15_000,
  /** Rows that one look of a subscription reads, and lines that wait for a slow reader. */
  graphqlSubscriptionReadMax: 1_000,
  /** Devices of one subscription. */
  graphqlSubscriptionDevicesMax: 100,
  /** Events that are read again, because one of a lower number may be committed later. */
  graphqlSubscriptionRereadEvents: 100,
  /** The time for which a browser keeps the answer about another origin's page. */
  corsPreflightS: 600,
  /** The delay with which the times of requests are added to their windows. */
  graphqlWindowFlushMs: 100,
  /** Callers whose requests one statement counts. */
  graphqlWindowsBatchMax: 500,
  /** Requests that wait to be counted; past it 503. */
  graphqlWindowsWaitingMax: 10_000,
  /** The highest number of requests in a window that a role or an API token can be given. */
  graphqlTokenRequestsMax: 1_000_000,
  /** The highest sum of times in a window that a role or an API token can be given. */
  graphqlTokenMsMax: 100 * hourMs,
  /** Parsed and validated documents that are cached. */
  graphqlDocumentsMax: 500,
  /** The largest GraphQL document that is cached. */
  graphqlKeptCharsMax: 16 * kib,

  /** Consumers that wait for one look at the generations of businesses' structure. */
  structureChecksMax: guard(1_000),
  /** Different selections of lists of assets that the database writes as JSON. */
  assetListTextsMax: 200,
  /** Fields of such a selection, and of the signals in it; past it the list is read as rows. */
  assetListFieldsMax: 20,
  /** The name of such a field in the answer; past it the list is read as rows. */
  assetListKeyCharsMax: 60,
  /** A name of an account, a group, an asset or any other object. */
  nameCharsMax: guard(200),
  /** What other programs keep with an asset, as JSON. */
  assetMetaCharsMax: guard(16_384),
  /** The time for which the answer of a mutation with a `clientMutationId` is kept. */
  graphqlMutationHours: 24,
  /** Answers of mutations with a `clientMutationId` that are kept of one business. */
  graphqlMutationsMax: 10_000,
  /** Rows of one file of assets. */
  assetCsvRowsMax: 5_000,
  /** One file of assets. */
  assetCsvBytesMax: 16 * mib,
  /** Signals of one report. */
  reportSignalsMax: 100,
  /** Values of one report as CSV or JSON. */
  reportRowsMax: 200_000,
  /** Values of one report as XLSX, which is made in memory at once. */
  reportSheetRowsMax: 20_000,
  /** A text in a cell of a sheet; a longer one is cut. */
  sheetCellCharsMax: standard(32_767),
  /** The content of one report. */
  reportBytesMax: 32 * mib,
  /** Reports that are kept of one business. */
  reportsMax: 1_000,
  /** Reports that a process makes at once. */
  reportRunsMax: 2,
  /** The time for which the URL of a report works, if none is asked for. */
  reportUrlSeconds: 600,
  /** The longest time for which the URL of a report works. */
  reportUrlSecondsMax: 604_800,
  /** Values that one request writes to signals. */
  signalWritesMax: 1_000,
  /** Templates of assets of one business. */
  templatesMax: 1_000,
  /** Versions of one template of assets that are kept. */
  templateVersionsMax: 100,
  /** The links of one template, as JSON. */
  templateLinksCharsMax: guard(256 * kib),
  /** A description of any object. */
  descriptionCharsMax: guard(4_000),
  /** The depth of nested groups. */
  groupDepthMax: guard(20),
  /** Groups of one business. */
  groupsMax: 5_000,
  /** Groups that a statement names one by one for whoever sees no more than these. */
  groupsFewMax: guard(16),
  /** Policies of one business. */
  policiesMax: 1_000,
  /** Dashboards of one business. */
  dashboardsMax: 1_000,
  /** Panels of one dashboard. */
  dashboardPanelsMax: published(100),
  /** The columns of a dashboard's grid. */
  dashboardColumns: published(12),
  /** The rows of a dashboard's grid. */
  dashboardRowsMax: published(1_000),
  /** The rows of one panel of a dashboard. */
  dashboardPanelRowsMax: published(50),
  /** The id of a panel. */
  dashboardPanelIdCharsMax: published(64),
  /** The text of one panel. */
  dashboardTextCharsMax: published(4_000),
  /** Signals that one panel names. */
  dashboardSignalsMax: published(20),
  /** Signals that one plot of a dashboard draws: as many as there are colours. */
  dashboardPlotSignalsMax: published(6),
  /** Assets that one panel names. */
  dashboardAssetsMax: published(100),
  /** Translations of one policy. */
  policyTranslationsMax: guard(50),
  /** Work instructions of one business. */
  workInstructionsMax: 1_000,
  /** Versions of one work instruction. */
  workInstructionVersionsMax: 100,
  /** The bytes of a file of a work instruction that is uploaded; past it 413 `too_large`. */
  workInstructionFileBytesMax: 64 * mib,
  /** The age from which bytes that are those of no version are removed, in milliseconds. */
  workInstructionUnusedMs: hourMs,
  /** Weeks for which the partitions of values are created ahead. */
  valueWeeksAhead: 4,
  /** The longest silence of a signal after which its asset may report it. */
  signalTimeoutMsMax: 100 * 365 * 24 * hourMs,
  /** Values that one statement writes. */
  valueBatchMax: 10_000,
  /** Descriptions of channels that are followed in one transaction; the last one may go past it. */
  channelBatchBytesMax: guard(512 * kib),
  /** Sentences about one invalid `config_io`. */
  complaintsMax: 100,
  /** Lines that an asset's log keeps; the oldest are removed first. */
  assetLinesMax: 500,
  /** The interval at which a process looks for signals that fell silent, or spoke again. */
  timeoutPollMs: 1_000,
  /** Signals that are looked at in one transaction. */
  timeoutBatchMax: 500,
  /** Comments of one condition. */
  conditionCommentsMax: 200,
  /** A comment on a condition. */
  conditionCommentCharsMax: 5_000,
  /** Parts of a query for conditions. */
  conditionFiltersMax: guard(20),

  /** Connections to one origin. */
  outboundConnectionsMax: 64,
  /** Origins to which connections are open at once. */
  outboundOriginsMax: 1_000,
  /** The time for which an idle outgoing connection is kept. */
  outboundIdleMsMax: 10_000,
  /**
   * The same for a request that must not be sent twice, such as a POST: the server may be closing
   * the connection, and a GET alone is sent once more then.
   */
  outboundOnceIdleMsMax: 1_000,
  /**
   * Guests, which are solutions with their certificates, whose connections are kept apart at once.
   * Past it the one that called least recently loses its idle connections.
   */
  outboundGuestsMax: 1_000,
  /** The time for connecting on behalf of a guest, whatever the guest's own time is. */
  outboundGuestConnectMsMax: 10_000,
  /**
   * Sockets of one guest, which is a solution: open, idle, and those that still connect. Past it a
   * call that needs another one receives 503.
   */
  outboundGuestSocketsMax: 200,
  /** The time after which a DNS query for the name of a guest's call is repeated, once. */
  outboundDnsMs: 2_000,
  /**
   * HTTP/2 connections at once in a process; past it the one unused for longest takes no new
   * request.
   */
  outboundHttp2ConnectionsMax: 1_000,
  /** Streams at once on one HTTP/2 connection, if the server permits so many. More wait. */
  outboundHttp2StreamsMax: 1_000,
  /** The time for which an HTTP/2 connection without streams is kept. */
  outboundHttp2IdleMsMax: 10 * minuteMs,
  /** Attempts of an HTTP/2 request that the server surely did not begin. */
  outboundHttp2TriesMax: 3,

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
  httpUrlCharsMax: guard(8 * kib),
  /** The body of a script's HTTP request once credentials are inserted. */
  httpBodyBytesMax: 2 * mib,
  /**
   * The body of the answer to a script's HTTP request, as it comes over the wire and decompressed.
   * It leaves room for the headers below `scriptValueBytesMax`.
   */
  httpAnswerBytesMax: 960 * kib,
  /** Tokens of OAuth that are kept for services that solutions describe, in a process. */
  cloudTokensMax: 10_000,
  /** Calls of a described service in a minute, if its configuration sets no rate; then 429. */
  cloudRequestsPerMinute: 600,
  /** The most calls of a described service in a minute that its configuration can allow. */
  cloudRequestsPerMinuteMax: 6_000,
  /** Events that a described service raises by its URLs in a minute; then 429. */
  cloudCallbacksPerMinute: 600,
  /** References in a described service's file that lead to one another. */
  cloudReferencesMax: 16,
  /** Parameters, fields of bodies and schemes of all operations of an `openapi` service. */
  cloudPartsMax: guard(40_000),
  /** Characters of a described service's error that a script gets. */
  cloudErrorCharsMax: 2_000,
  /** HTTP requests of one solution at once. One more receives 429. */
  httpRequestsMax: 20,
  /** The `credentials` of an HTTP request or of the configuration. */
  httpCredentialsCharsMax: guard(16 * kib),
  /** Hosts to which one credential of the HTTP client may be sent. */
  httpCredentialHostsMax: 20,
  /** Each of `key`, `cert` and `cacerts` in `sslOptions`. */
  httpPemCharsMax: guard(32 * kib),
  /**
   * Private addresses that the operator may open for the scripts of one business (`millrace
   * outbound allow`).
   */
  httpAllowMax: 100,
  /**
   * The age up to which the cached open addresses of a business are used: so long after `millrace
   * outbound remove` a request may still go there.
   */
  httpAllowCacheMs: 2_000,
  /** Businesses whose open addresses are cached. */
  httpAllowCacheMax: 10_000,

  /** Inlets of an insight function. */
  inletsMax: stored(5),
  /** Outlets of an insight function. */
  outletsMax: stored(5),
  /** The least that a link may set for its calls. */
  moduleCallMsMin: guard(100),
  /** Connecting to an insight module. */
  moduleConnectMsMax: 3_000,
  /** Attempts of a call that could not reach the module. */
  moduleTriesMax: 3,
  /** Runs of linked functions in flight at once that call modules, of one business. */
  moduleCallsOfBusinessMax: 64,
  /** The same that call one module. */
  moduleCallsOfModuleMax: 48,
  /** Calls of insight modules that wait. Past it a call is refused. */
  moduleCallsWaitingMax: 2_000,
  /**
   * The time after which a run that waits for calls of the same module is put off, if none of them
   * has ended in it. Others of the module are put off at once, until one ends.
   */
  moduleWaitMs: 100,
  /** The time for which such a run is put off. */
  moduleBusyMs: 1_000,
  /**
   * The time that a batch of the log waits for calls of modules, in all. What is not answered by
   * then goes on as a job. 0: each run is a job.
   */
  moduleInlineMsMax: 100,
  /** The least time after which an answer that a batch waits for is late. */
  moduleInlineMsLeast: 25,
  /**
   * The time for which batches do not wait for a function that was late; it doubles each time until
   * its answers are quick again.
   */
  moduleInlineRestMs: 250,
  /** The longest such time. */
  moduleInlineRestMsMax: 10_000,
  /** The same that it claims at once. */
  functionRunsClaimMax: 1_000,
  /** Runs that batches of the log began and that jobs of this process take over. */
  functionRunsAdoptedMax: 10_000,
  /** The age up to which a run takes the links of its asset as they were at its entry. */
  functionRunNewMs: 1_000,
  /** Values of entries that wait for one asset and go to its functions in one call. */
  functionRunValuesMax: 1_000,
  /** Characters of such values; a value counts at least 100. */
  functionRunCharsMax: 200_000,
  /** Attempts of a run that fails by a fault of the instance, such as a lost database. */
  functionRunTriesMax: 10,
  /** The pause before such an attempt; it doubles each time. */
  functionRunRetryMs: 250,
  /** The longest such pause. */
  functionRunRetryMsMax: 30_000,
  /**
   * Calls in flight at once that requests of one business make: to add a module, list its functions
   * or link one.
   */
  moduleRequestsOfBusinessMax: 16,
  /** The same of one URL. */
  moduleRequestsOfUrlMax: 8,
  /** The same that wait, of one business. Past it a request receives 503. */
  moduleRequestsWaitingMax: 64,
  /** Failures in a row after which calls of a module pause. */
  moduleFailuresInRowMax: 5,
  /**
   * The time from the first failure in a row of a module that is away for which calls of runs are
   * made again, with pauses, before they fail. The runs of their assets wait meanwhile.
   */
  moduleOutageMs: 30_000,
  /** The time for which calls of such a module pause. */
  modulePauseMs: 5_000,
  /** Modules that fail whose failures in a row are counted. */
  moduleHealthsMax: 10_000,
  /** The pause before a module that could not be reached is called again; it doubles each time. */
  moduleRetryMs: 50,
  /** Links that the refusal to remove a module names. */
  moduleLinksNamedMax: 10,
  /** Listings of insight modules that one business publishes. */
  moduleListingsMax: 100,
  /** The definition of an insight module: an OpenAPI 2.0 file. */
  definitionBytesMax: 256 * kib,
  /** Values in a definition, those of each YAML alias counted again. */
  definitionValuesMax: guard(50_000),
  /**
   * Indicators (`-`, `:`, `,` and brackets) in a text of YAML, which takes long to read for its
   * bytes. A text of JSON may have more.
   */
  yamlIndicatorsMax: guard(12_000),
  /** Lines of a text of YAML: folding those of one long value takes 10 ms for so many. */
  yamlLinesMax: guard(100_000),
  /** Aliases in a definition that is YAML. */
  definitionAliasesMax: guard(500),
  /** References (`$ref`) in a definition. */
  definitionReferencesMax: guard(1_000),
  /** Characters of a value that is wrong in a definition, as the refusal shows it. */
  definitionShownCharsMax: 60,
  /** Problems of a definition that the sentence of its refusal names; `problems` has all. */
  definitionProblemsShownMax: 5,
  /** Configuration parameters of an insight module, and parameters of one of its operations. */
  moduleParametersMax: guard(100),
  /** The value of one such parameter that is a text. */
  moduleParameterCharsMax: guard(4_096),
  /** The age up to which a module's cached list of functions is used. */
  moduleFunctionsCacheMs: 10_000,
  /** The age at which the functions of a linked module are read again. */
  moduleRefreshMs: 10 * minuteMs,
  /** The interval at which a process looks for lists of functions that are older. */
  moduleRefreshPollMs: 30_000,
  /** Lists of functions that a process reads again in one go. */
  moduleRefreshesMax: 100,
  /** Lists of functions that are cached. */
  moduleFunctionsCachedMax: 1_000,
  /** Functions that one module may list in one group. */
  moduleFunctionsMax: 1_000,
  /** Characters of a module's own message that are repeated in a log or an answer. */
  moduleSentenceCharsMax: 300,
  /** Past values of one signal that a function with history receives if it sets no limit. */
  moduleHistoryValues: 100,
  /** The same if it sets one. */
  moduleHistoryValuesMax: 1_000,
  /** The time that a run with such a function waits for values of its entry to be stored. */
  moduleHistoryWaitMs: 1_000,
  /**
   * The interval at which the same failure of the same link is written into the asset's log again.
   */
  moduleNoteRepeatMs: 60_000,
  /** Failures that are remembered to fold repetitions. */
  moduleNotesRememberedMax: 10_000,
  /** Links in one asset's pipelines. */
  linksPerAssetMax: 100,
  /** Problems that the refusal of a pipeline names. */
  pipelineProblemsMax: 100,
  /** Checks of one link. */
  linkChecksMax: guard(20),

  /** Entries of a connector among which the write of a traced value is looked for. */
  traceEntriesMax: 20_000,
  /** Hours for which it is kept how long functions took, and which calls were made. */
  traceHours: 24,
  /** Newer runs of an asset among which those of a traced value are looked for. */
  traceRunsMax: 1_000,
  /** Solutions of which the calls of a traced value are looked for. */
  traceSolutionsMax: 50,
  /** Recorded values that one simulation of a pipeline takes. */
  simulationValuesMax: 100_000,
  /** Values of outlets that one simulation stores. */
  simulationStoredMax: 100_000,
  /** Simulations that run at once, one of each business at most. */
  simulationsMax: 2,
  /** Simulations that wait. */
  simulationsWaitingMax: 20,
  /** Calls of modules that one simulation makes. */
  simulationCallsMax: 1_000,
  /** Milliseconds after which a simulation calls no module any more. */
  simulationCallsMsMax: 60_000,
  /** Times that the lists of a simulation's answer hold. */
  simulationShownMax: 1_000,
  /** Recorded events that one replay of a solution takes. */
  replayEventsMax: 10_000,
  /** Bytes of the events of one replay, and of the calls and logs that its scripts make. */
  replayBytesMax: 33_554_432,
  /** The time that one replay takes, at most. */
  replayMsMax: 60_000,
  /** Replays that run at once, one of each business at most. */
  replaysMax: 1,
  /** Replays that wait. */
  replaysWaitingMax: 20,
  /** Events that the answer of a replay holds. */
  replayShownMax: 1_000,
  /** Versions of one asset's pipeline that are kept. */
  pipelineVersionsMax: 100,
  /** Values of one constant that may be given several times. */
  constantValuesMax: 100,
  /** Entries whose functions run before their results are stored together. */
  functionsBatchMax: 500,
  /** The fewest entries of such a batch, if modules do not answer in time for more. */
  functionsBatchLeast: 10,
  /**
   * Links, with the assets that they belong to, that are cached; the least recently used are
   * removed first, and read again.
   */
  graphsRememberedMax: 50_000,
  /** Last values of inlets that are cached for functions with several inlets. */
  inletValuesRememberedMax: 100_000,
  /** Links that one value may pass through; SignalData's `ttl` starts here. */
  pipelineStepsMax: 20,
  /** Values that a built-in function of a window keeps; they are written with each batch. */
  functionWindowValuesMax: guard(1_000),
  /** The longest window, duration or gap of a built-in function: 31 days. */
  functionWindowSecondsMax: guard(2_678_400),
  /** Characters of a value that a built-in function compares; of a longer one, its hash. */
  functionValueCharsMax: guard(200),
  /** Characters of an expression, which bound the depth of its parentheses. */
  expressionCharsMax: guard(500),
  /** Values in one answer of a module. */
  moduleAnswerValuesMax: 10_000,

  /**
   * Turns of the engine's loops between two checks of the clock and the CPU used: one tick. 64
   * bytes that are copied count as one turn.
   */
  scriptLoopsPerTick: 20_000,
  /**
   * Slots of the stack of one coroutine; a call takes a few of them. Past it a recursion ends with
   * the error "stack overflow". LuaJIT has 65,500.
   */
  scriptStackSlotsMax: guard(100_000),
  /** Values in one argument or result, those inside tables counted. */
  scriptValueNodesMax: guard(50_000),
  /** The depth of nested tables in one argument or result. */
  scriptValueDepthMax: guard(64),
  /** The depth of solutions that call one another. */
  scriptDepthMax: 8,
  /** Calls of one solution that run at once. */
  scriptCallsMax: 100,
  /**
   * The same if each call has a machine of its own (`reuse_vm` is false): each may use as much
   * memory as a whole solution otherwise.
   */
  scriptColdCallsMax: 8,
  /** Variables of one solution, which `os.getenv` gives to its scripts. */
  environmentVariablesMax: 100,
  /** The bytes of the value of one variable of a solution. */
  environmentValueBytesMax: 8 * kib,
  /** Patterns of `include`, and of `exclude`, of one part of a `murano.yaml`. */
  projectPatternsMax: guard(20),
  /** Characters of one of these patterns. */
  projectPatternCharsMax: guard(100),
  /** Calls of one solution that wait to run. Past it a caller receives 429. */
  scriptQueuedMax: 1_000,
  /** Log output of one call. */
  scriptLogBytesPerCallMax: 64 * kib,
  /** Characters of the message of a script's error that are kept. */
  scriptErrorCharsMax: 2_000,
  /** Bytes of one call of `rand_bytes`. */
  scriptRandomBytesMax: guard(64 * kib),
  /** Arguments that operations do not have, of which a process has warned solutions. */
  argumentWarningsRememberedMax: guard(10_000),
  /** The format that a script gives to `os.date`. */
  scriptDateFormatBytesMax: guard(1_000),
  /** The width of one conversion of `os.date`, in characters; a greater one counts as this. */
  scriptDateWidthMax: guard(250),
  /**
   * Virtual machines of solutions in a process. Past it the one that was idle for longest is
   * dropped.
   */
  scriptMachinesMax: 1_000,
  /**
   * Memory of a worker's own code beside its machines. It is the last resort: values of scripts
   * have limits of their own. A worker past it is ended as one that hangs, and the process goes on.
   */
  scriptWorkerHeapMib: 256,
  /**
   * Memory of a worker's own code for new objects. V8 ends a worker that is out of memory only if
   * less than 16 MiB grows old at once; past that it ends the process.
   */
  scriptWorkerYoungMib: 8,
  /**
   * The time for which a solution whose scripts fail while its machine is made answers with that
   * failure before it is tried again.
   */
  scriptReopenMs: 2_000,
  /** Messages that go to a worker thread at once. */
  scriptBatchMax: 256,
  /** Batches of messages that are in flight to one worker thread. */
  scriptBatchesMax: 2,
  /**
   * The estimated CPU of the calls of one batch, by recent calls of their solutions: later calls
   * wait behind no more than that.
   */
  scriptBatchMs: 20,
  /**
   * The interval at which the main thread checks, while scripts run, for calls that are out of time
   * and workers that hang.
   */
  scriptWatchdogMs: 25,
  /**
   * The time without progress after which a worker thread is ended. The engine's own checks of its
   * limits are progress, so that a busy processor ends no worker that works. A call in a worker is
   * given up twice as long after its time.
   */
  scriptHangMs: 5_000,
  /**
   * CPU of one call past which its solution is quarantined, whichever limit ends the call: the
   * solution moves to the worker threads of the quarantine, and calls that wait behind it move to
   * another thread.
   */
  scriptQuarantineCpuMs: 50,
  /**
   * The time after which calls that wait move to another thread, if the call before them has done
   * little because the processor is busy; its solution stays.
   */
  scriptBlockedMs: 250,
  /**
   * Worker threads that are left to one call each in this way. Past it calls wait until one of them
   * has ended.
   */
  scriptWorkersBlockedMax: 4,
  /**
   * Worker threads that are ready to replace one that is left to its call. They start once several
   * solutions have run for some seconds, or a call takes long.
   */
  scriptWorkersSpareMax: 2,
  /**
   * CPU that a solution may use at once beyond its share of a thread. Past it the solution is
   * quarantined, however short its calls are.
   */
  scriptBurstMs: 500,
  /** A solution's share of a thread: CPU within it does not count. */
  scriptSharePercent: 25,
  /**
   * The time that a solution stays in quarantine after its last call past the limits. The time
   * doubles if it is quarantined again soon after it.
   */
  scriptQuarantineMs: minuteMs,
  /** The longest time in quarantine. */
  scriptQuarantineMsMax: 32 * minuteMs,
  /** Solutions whose worker thread a process stores. */
  scriptPlacementsMax: 10_000,
  /**
   * The longest source that is compiled, when it is pushed, by the worker thread that runs its
   * solution; longer ones are compiled in the quarantine. So are those of a solution that had much
   * compiled lately (`scriptQuarantineCpuMs` at once, or `scriptBurstMs`).
   */
  scriptCheckSmallChars: 64 * kib,
  /**
   * Sources of one solution that wait to be compiled: two pushes of all that it may have. Past it a
   * push is refused with 503 `overloaded`.
   */
  scriptChecksWaitingMax: 1_000,
  /**
   * The time for which a solution that crashed a worker thread is refused; the time doubles with
   * each further crash.
   */
  scriptCrashBackoffMs: 1_000,
  /** The longest such time. */
  scriptCrashBackoffMsMax: minuteMs,
  /** The time for which a process leases a job that it runs. */
  jobLeaseMs: shared(10_000),
  /**
   * The interval at which a process renews its leases, and polls for jobs that another process has
   * lost.
   */
  jobRenewMs: shared(2_500),
  /** The interval at which a process polls for due jobs, if none is due sooner. */
  jobPollMs: 250,
  /** Tenants of a queue that are read at once. */
  jobTenantsMax: 200,
  /** Outcomes of jobs that share a transaction. */
  jobSettleBatchMax: 1_000,
  /** The interval at which the jobs of a tenant that wait are counted, at most. */
  jobCountMs: 250,
  /** Keys of waiting jobs that a process knows: it claims the next one as soon as one ends. */
  jobKeysBehindMax: 10_000,
  /** Tenants of which a process stores this count. */
  jobCountsMax: 10_000,
  /** The run time from which on what waits for a job's end makes room for others meanwhile. */
  jobRunsLongMs: 5_000,
  /** Jobs that are added at the same time and share a transaction. */
  jobAddBatchMax: 1_000,
  /** Jobs that wait to be added. Past it who adds one gets `overloaded`, 503. */
  jobAddWaitingMax: 20_000,
  /** Characters of the step and of the reason that are stored with a job that failed, each. */
  jobReasonCharsMax: 1_000,
  /** The time for which a process that closes waits for jobs that run. */
  jobCloseMs: 1_000,
  /**
   * The time for which a process leases a delivery. After a crash others take it when this time is
   * over.
   */
  deliveryLeaseMs: shared(10_000),
  /** The interval at which a process renews the leases of the deliveries that it runs. */
  deliveryRenewMs: shared(2_500),
  /** The interval at which a process polls for deliveries that wait. */
  deliveryPollMs: 250,
  /** Deliveries of one solution that a process claims at once. */
  deliveryClaimMax: 256,
  /** Deliveries of one solution that run at once in a process. */
  deliveryRunsMax: 64,
  /** Solutions whose waiting deliveries one poll reads. */
  deliverySolutionsMax: 200,
  /**
   * The pause before a delivery that was not started (no room, a worker lost) is tried again; it
   * doubles each time, and is one for all of its solution.
   */
  deliveryAgainMs: 250,
  /** The longest such pause. */
  deliveryAgainMsMax: minuteMs,
  /**
   * Calls of one solution that wait at which a trigger of its own business takes longer: the script
   * that triggers it goes on when fewer wait, at the latest after `deliveriesSlowMs`.
   */
  deliveriesSlowAt: 2_000,
  /** The longest such time. */
  deliveriesSlowMs: 1_000,
  /**
   * A body of JSON that is parsed on the main thread. A longer one is parsed in the solution's
   * worker and costs CPU of its script; invalid JSON is refused with 400 all the same.
   */
  endpointJsonBytesMax: 16 * kib,
  /** Fields in the query of such a request, and in a form as its body. */
  endpointFieldsMax: guard(1_000),
  /** Requests that a `--#RATELIMIT` may allow. */
  endpointRateMax: 1_000_000,
  /** The longest period of a `--#RATELIMIT`. */
  endpointRateSecondsMax: 24 * 3_600,
  /**
   * Addresses whose requests to endpoints are counted in a process; past it the oldest count begins
   * anew.
   */
  endpointCallersRememberedMax: 100_000,
  /** Ids of solutions whose business, or absence, a process caches. */
  endpointSolutionsRememberedMax: 10_000,
  /** Keys of one solution's endpoints. */
  endpointKeysMax: 100,
  /** The shortest such key. Only its hash is stored, so it must be hard to guess. */
  endpointKeyCharsMin: guard(20),
  /** The longest such key. */
  endpointKeyCharsMax: guard(512),
  /** Origins, methods or headers that the endpoints of a solution allow across origins. */
  endpointCorsItemsMax: guard(100),
  /** The time for which a browser may cache the answer to a preflight request. */
  endpointCorsSeconds: 600,
  /** Of these, those of one solution. Past it an upgrade is 429 `too_many_requests`. */
  socketsOfSolutionMax: 1_000,
  /** One message of a websocket's client. A larger one closes the socket with 1009. */
  socketMessageBytesMax: 128 * kib,
  /**
   * Fragments of such a message, and pieces in which the network may bring it. Past it the socket
   * is closed with 1008.
   */
  socketFragmentsMax: guard(1_000),
  /**
   * Messages of one websocket that wait for the script. Past it nothing more is read from the
   * client.
   */
  socketWaitingMax: 64,
  /**
   * Messages of one websocket that may come with those that were read already. Past it the socket
   * is closed with 1008.
   */
  socketFloodMax: 1_000,
  /**
   * Bytes that a websocket's client leaves unread. A client to which more is sent is closed with
   * 1008.
   */
  socketUnreadBytesMax: mib,
  /**
   * Bytes that the clients of one solution together leave unread. Past it nothing more is sent to
   * any of them: a script receives 503, and a script's result closes its socket with 1013.
   */
  socketsUnreadOfSolutionBytesMax: 32 * mib,
  /** The same of all solutions in a process. */
  socketsUnreadBytesMax: 128 * mib,
  /** Silence of a websocket's client after which it receives a ping. */
  socketPingMs: 30_000,
  /** The time for the answer to a ping. A client without an answer is cut. */
  socketPongMsMax: 30_000,
  /**
   * The interval at which websockets are checked: whether their endpoints are still there, and
   * which are silent.
   */
  socketRecheckMs: 1_000,
  /** The time after which the credential of a websocket is checked again. */
  socketCredentialMs: 30_000,
  /** The interval at which a process with websockets renews its lease in the database. */
  socketLeaseRenewMs: shared(5_000),
  /** The time for which this lease holds. The websockets of a process without a lease are gone. */
  socketLeaseMs: shared(30_000),
  /** The interval at which a process polls for remote commands to its websockets. */
  socketCommandPollMs: 250,
  /** Remote commands that may wait. Past it a script of another process receives 503. */
  socketCommandsMax: 1_000,
  /** The time for a client's answer to a close before its connection is cut. */
  socketCloseMs: 5_000,
  /** The reason of a close: the protocol has no room for more. */
  socketReasonBytesMax: standard(123),
  /**
   * The time for which a process that stops waits for scripts that run. Deliveries and events that
   * did not end by then run again after the next start.
   */
  scriptCloseMs: 1_000,
  /**
   * The time slice of the handlers of a batch of a connector's events. What is not done then
   * becomes a delivery, so that no solution delays the others; a solution that would be done soon
   * at its rate has more of it.
   */
  scriptEventsSliceMs: 250,
  /**
   * Time slices (`scriptEventsSliceMs`) that a solution may have for its events of a batch while it
   * makes progress: a busy processor is no reason to put off what is nearly done.
   */
  scriptEventsSlicesMax: 4,
  /** Events of one solution, each of another device, that run at once in a batch. */
  scriptEventsAtOnceMax: 64,
  /**
   * Jobs of a solution that is behind (calls that run long, or that wait for one of their device)
   * at which it reads no further entries of the log.
   */
  scriptBehindJobsMax: 256,
  /** The pause of a solution that is behind while all it could run waits for the same devices. */
  scriptBehindPauseMs: 25,
  /** Entries of the log in one batch of connectors' events for scripts. */
  scriptEventsBatchMax: 250,
  /** The interval at which a process looks for solutions that others have left behind. */
  scriptBehindPollMs: 1_500,
  /**
   * The age up to which a process uses its cached list of the solutions of a connector, if another
   * process changes it.
   */
  subscriptionCacheMs: 1_000,
  /** Connectors whose solutions are cached. */
  subscriptionCacheMax: 10_000,
  /** Coroutines of one virtual machine that are kept for the next call. */
  scriptCoroutinesIdleMax: 16,

  /** The depth of nested schemas in a payload schema of a solution. */
  payloadSchemaDepthMax: guard(16),
  /** Schemas in all payloads of one exposed solution. */
  payloadSchemasMax: guard(2_000),
  /** Patterns in all payloads of one exposed solution. */
  payloadPatternsMax: guard(50),
  /** Entries of an `enum`, `required`, `examples` or list of `items` in a payload schema. */
  payloadListMax: guard(1_000),
  /** The text of one pattern of a payload schema. */
  payloadPatternCharsMax: guard(256),
  /** States of the machine into which a pattern of a payload schema is compiled. */
  payloadPatternStatesMax: guard(500),
  /**
   * Steps of the check of one payload: a value is a step, a match states times characters. The
   * worst pattern takes some 0.2 µs a step, so that no check delays other work for long.
   */
  payloadStepsMax: guard(100_000),

  /** Operations of one exposed solution. */
  interfaceOperationsMax: 100,
  /** Events of one exposed solution. */
  interfaceEventsMax: 100,
  /** Parameters of one exposed solution that its subscribers set. */
  interfaceParametersMax: 100,
  /** Businesses on the whitelist of one exposed solution. */
  interfaceWhitelistMax: 1_000,
  /** Tags of one exposed solution. */
  interfaceTagsMax: guard(10),
  /** One tag of an exposed solution. */
  interfaceTagCharsMax: guard(20),
  /** Exposed solutions that are cached. */
  interfaceCacheMax: 1_000,
  /**
   * The age up to which a cached exposed solution is used without a read of the database. A process
   * that changes one uses the change at once.
   */
  interfaceCacheMs: 1_000,
  /** Exposed solutions of one name that are read to find one that the business may use. */
  interfaceNamesakesMax: 100,
  /** Exposed solutions that one page of the services of a business lists if nothing is set. */
  servicesPageDefault: 20,
  /** Exposed solutions that one page of the services of a business lists. */
  servicesPageMax: 100,
  /** Subscribers of one exposed solution. */
  subscribersMax: 5_000,
  /** Subscribers that `listSubscribers` lists if nothing is set. */
  subscribersPageDefault: 20,
  /** Subscribers that one answer lists. */
  subscribersPageMax: 100,
  /**
   * Changes, and subscribers of each, that the refusal of a [breaking
   * change](interface.md#breaking-changes) names; of the others it has the number. `npx millrace
   * interface check` names all.
   */
  breakingNamedMax: 10,
  /** Subscribers whose handlers one `trigger` runs at once. */
  triggersAtOnceMax: 16,
  /** Subscribers that one `trigger` reads, or hands to deliveries, at once. */
  triggerBatchMax: 500,
  /**
   * The run time of the handler of `subscriberUpdated`; the change of the subscription waits for
   * it.
   */
  subscriberUpdatedMsMax: 5_000,
  /** A quota of calls a day or a month. */
  quotaCallsMax: 1_000_000_000_000,
  /**
   * The lead of another process's clock up to which the day or month that it has begun counts. A
   * day or month that begins later was begun by a clock that ran ahead, and is ignored: a quota is
   * not used up until then.
   */
  quotaLeadMsMax: shared(minuteMs),
  /**
   * The age up to which a subscription is cached as one without a quota. The process in which a
   * quota is set uses it at once, others within this time.
   */
  quotaCacheMs: 1_000,
  /** Subscriptions that are cached as ones without a quota. */
  quotaCacheMax: 10_000,

  /** The least memory that a solution may be given. */
  scriptMemoryBytesMin: 2 * mib,
  /** Scripts of one solution. */
  scriptsMax: 500,
  /** The name of a script, and of its file. */
  scriptNameCharsMax: guard(200),
  /** Lines of a file that holds several scripts. */
  scriptFileLinesMax: guard(10_000),
  /** All scripts of one solution together. */
  solutionSourceBytesMax: 4 * mib,
  /**
   * The highest number of attempts that a script may request for a failed delivery of its event.
   */
  scriptRetriesMax: 20,
  /** The longest pause between these attempts. */
  scriptRetrySecondsMax: 24 * 3_600,
  /** The body of a push: a folder's files in JSON. */
  solutionPushBytesMax: 16 * mib,
  /** The body of a run of tests: a folder's files, its tests and what they read, in JSON. */
  solutionTestBytesMax: 32 * mib,
  /** The files of tests of one run, and the files that these may read. */
  solutionTestFilesMax: 1_000,
  /** Runs of tests of one business at once, each on a temporary instance. */
  solutionTestRunsOfBusinessMax: 2,
  /** Runs of tests of all businesses at once in a process. */
  solutionTestRunsMax: 4,
  /** The time after which a run of tests is stopped. */
  solutionTestMsMax: 15 * minuteMs,
  /**
   * The time for a temporary instance to be opened and removed. Past it and `solutionTestMsMax`,
   * others remove what a killed process has left of it.
   */
  solutionTestEndMsMax: 5 * minuteMs,
  /** Services of one solution. */
  configurationsMax: 100,
  /** The parameters of one service of a solution, in JSON. */
  configurationBytesMax: 256 * kib,
  /**
   * The age up to which a cached solution is used without a read of the database: a change that
   * another process made holds after this.
   */
  programCheckMs: 250,

  /** A key of the keystore, in UTF-8. */
  keystoreKeyBytesMax: guard(1_024),
  /**
   * The value of one key of the keystore, in JSON; past it 413 `too_large`, and the key stays as it
   * was.
   */
  keystoreValueBytesMax: mib,
  /** The fewest bytes of a static file that is also compressed: less does not fill a packet. */
  staticCompressedBytesMin: guard(1_024),
  /** The bytes of one static file of a solution; past it 413 `too_large`. */
  solutionStaticFileBytesMax: 8 * mib,
  /** The bytes of all static files of one solution; past it 413 `too_large`. */
  solutionStaticBytesMax: 128 * mib,
  /** How long bytes that were uploaded for a push are kept until a push takes them. */
  solutionStaticUploadMs: 3_600_000,
  /** Static files of one solution; past it 413 `too_large`. */
  solutionStaticFilesMax: 2_000,
  /** The bytes of one content of a solution; past it 413 `too_large`. */
  solutionContentFileBytesMax: 128 * mib,
  /** Contents of one solution; past it 413 `too_large`. */
  solutionContentsMax: 10_000,
  /** The bytes of a part, in which larger contents are stored, sent and read. */
  solutionContentPartBytes: guard(mib),
  /** The most bytes of a content that scripts read at once; past it they name a range. */
  solutionContentReadBytesMax: guard(8 * mib),
  /** Uploads in parts that one solution has begun and not ended; then 429. */
  solutionContentUploadsMax: 100,
  /** The time after which an upload that got no more parts is removed. */
  solutionContentUploadIdleMs: 86_400_000,
  /** The seconds for which a signed URL of a content works if the script sets none. */
  contentUrlSeconds: 300,
  /** The most seconds for which a signed URL of a content can work. */
  contentUrlSecondsMax: 604_800,
  /** Recipients of mails that the scripts of one solution send in a minute; then 429. */
  emailsPerMinute: 60,
  /** Users of one solution; past it `createUser` is refused with 413 `too_large`. */
  solutionUsersMax: 100_000,
  /** The fewest characters of a password of a solution's user. */
  solutionPasswordCharsMin: 8,
  /** The most characters of a password of a solution's user. */
  solutionPasswordCharsMax: guard(200),
  /** Hours in which a user of a solution can be activated by the code of the sign-up. */
  solutionActivationHours: 72,
  /** Hours in which a code of `requestPasswordReset` works. */
  solutionResetHours: 2,
  /** The seconds of a token of a solution's user if the script sets no `time_to_live`. */
  solutionTokenSeconds: 86_400,
  /** The most that `time_to_live` may set, in seconds. */
  solutionTokenSecondsMax: 31_536_000,
  /** Tokens of one user of a solution; the oldest one ends where there would be more. */
  solutionTokensPerUserMax: 20,
  /** Wrong passwords for one e-mail address of a solution in a minute; then 429 without a check. */
  solutionSignInFailuresMax: 10,
  /** Roles of one solution. */
  solutionRolesMax: 200,
  /** Parameters of one role of a solution. */
  roleParametersMax: published(50),
  /** Values of parameters in one role of a call of `assignUser`. */
  assignmentsPerCallMax: published(500),
  /** Roles and values of their parameters that one user of a solution may have. */
  assignmentsMax: 5_000,
  /** The data that a solution keeps of one user: keys and values, in UTF-8. */
  userDataBytesMax: 64 * kib,
  /** Keys in one `mdelete` of the keystore. */
  keystoreKeysPerCallMax: published(1_000),
  /** Keys in one answer of the keystore's `list`; the `cursor` goes on behind the last. */
  keystoreListMax: published(1_000),
  /**
   * Changes, and reads, that wait in one batcher of the keystore; past it scripts receive 503
   * `overloaded`.
   */
  keystoreWaitingMax: 8_000,
  /** Changes of the keystore in one transaction. */
  keystoreBatchMax: 500,
  /** Expired keys that one step of the keystore's sweep removes; it goes on until none is left. */
  keystoreSweepRowsMax: 1_000,

  /**
   * Calls of one solution that wait; past it `scripts.trigger` adds none, and scripts receive 503
   * `overloaded`.
   */
  triggeredWaitingMax: 10_000,

  /** Timers of one solution; past it a new one is refused with 413 `too_large`. */
  timersMax: 1_000,
  /** Characters of a timer's id, of a schedule, of a time zone's name. */
  timerIdCharsMax: guard(100),
  /** The message of a timer, in JSON; past it the timer is refused with 413 `too_large`. */
  timerMessageBytesMax: 64 * kib,
  /** The longest time until a timer is due, and the longest interval. */
  timerMsMax: 366 * 24 * hourMs,
  /** The shortest interval of a timer; a schedule cannot name more than one time a second. */
  timerEveryMsMin: published(1_000),
  /**
   * The interval at which a process polls for due timers that another process has set; its own are
   * due without a poll.
   */
  timerPollMs: 1_000,
  /** Due timers in one transaction; more follow at once. */
  timerBatchMax: 200,

  /** Metrics in one datapoint, or in one query. */
  tsdbMetricsMax: 100,
  /** Values in one `multiWrite`. */
  tsdbPointsPerCallMax: 5_000,
  /** Tags of one datapoint. */
  tsdbTagsMax: 20,
  /** The name of a metric, the name or the text of a tag. */
  tsdbNameCharsMax: guard(100),
  /** A text as the value of a metric, as UTF-8. */
  tsdbTextBytesMax: 4_096,
  /** Times in the answer of a query without a limit. */
  tsdbRows: 1_000,
  /** Times in one answer of a query. */
  tsdbRowsMax: 10_000,
  /** The run time of one query; past it the script receives 504 `time_exceeded`. */
  tsdbQueryMsMax: 5_000,
  /** Writes of values over time in one transaction. */
  tsdbBatchMax: 100,
  /** Writes of values over time that wait; past it scripts receive 503 `overloaded`. */
  tsdbWaitingMax: 5_000,
  /** Metrics with tags whose numbers are cached. */
  tsdbSeriesKept: 100_000,
  /** Values that one step of the sweep removes. */
  tsdbSweepRowsMax: 5_000,

  /** Connecting to a provider of notifications. */
  pushConnectMsMax: 5_000,
  /** One call of a provider, to the answer's last byte. */
  pushCallMsMax: 15_000,
  /** A provider's answer. */
  pushAnswerBytesMax: guard(64 * kib),
  /** Characters of a provider's own message that are repeated. */
  pushReasonCharsMax: 300,
  /** The longest pause that a provider may request. A longer one counts as this. */
  pushRetryAfterMsMax: hourMs,
  /** A text in the settings of a provider. */
  pushSettingCharsMax: guard(2_000),
  /** A key, or an account with its key, in the settings of a provider. */
  pushKeyCharsMax: guard(16 * kib),
  /** Credentials of one channel beside the usual one, which bindings name by `CredentialSid`. */
  pushCredentialsMax: guard(100),
  /** Tokens for providers that a process caches. */
  pushTokensMax: 10_000,
  /** The age up to which a token for APNs is used. Apple refuses one of more than an hour. */
  pushApnsTokenMs: standard(50 * minuteMs),
  /** The shortest time between two tokens for APNs; Apple refuses more frequent ones. */
  pushApnsTokenMsMin: standard(20 * minuteMs),
  /** The validity of an assertion that a service account signs for an access token. */
  pushAssertionMs: standard(hourMs),
  /** The time before its end at which an access token is replaced. */
  pushTokenEarlyMs: 5 * minuteMs,

  /** A payload for Apple or Firebase, in JSON; for Firebase without the token. */
  notificationPayloadBytesMax: standard(4_096),
  /** The text of an SMS, in all its segments. */
  notificationSmsCharsMax: standard(1_600),
  /** Media of one SMS. */
  notificationMediaMax: standard(10),
  /** Points of the timeline of one binding; a provider that repeats itself adds no more. */
  notificationEventsMax: 50,
  /** A text for the messenger. */
  notificationMessengerCharsMax: standard(2_000),
  /** Tags of a binding; tags, and identities, of a send or a list. */
  notificationTagsMax: 20,
  /** An identity, an endpoint, a tag, an AuthToken. */
  notificationNameCharsMax: stored(256),
  /** An address of a channel. */
  notificationAddressCharsMax: stored(4_096),
  /** A text of a notification, or a payload as text, before it is mapped. */
  notificationArgumentCharsMax: guard(64 * kib),
  /** The longest Ttl of a notification, and the default. */
  notificationTtlSMax: standard(4 * 7 * 24 * 3_600),
  /** Bindings on a page of listBinding without PageSize. */
  notificationPageDefault: 50,
  /** Bindings on the largest page of listBinding. */
  notificationPageMax: 100,
  /** The last page of listBinding. */
  notificationPagesMax: 1_000,
  /**
   * The precision of the time at which something was last sent to a binding: within it, the time is
   * not written again.
   */
  notificationSentAtS: 3_600,
  /** Bindings that a dry run lists with their payloads. */
  notificationPreviewMax: 50,
  /** Bindings for which one transaction makes jobs. */
  notificationExpandMax: 1_000,
  /** Jobs that a process reads ahead. */
  notificationReadyMax: 2_000,
  /** Of these, those of one queue. */
  notificationReadyOfQueueMax: 500,
  /**
   * Queues that a process caches, one for each channel of a solution. Their state is in the
   * database.
   */
  notificationQueuesMax: 2_000,
  /** The shortest pause between two polls of the queues. */
  notificationPollMsMin: 10,
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
  notificationBusyWindowMs: minuteMs,
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
  /** Outcomes of notifications in one transaction. */
  notificationSettleMax: 1_000,
  /** The time for a provider's answer. */
  notificationAttemptMsMax: 30_000,
  /**
   * The time for which a notification with a `Ttl` of 0 may be queued before its attempt. Then it
   * fails.
   */
  notificationOnceMsMax: 10_000,
  /**
   * The time for which jobs that were read ahead are not compared with the database. A binding that
   * another process deletes gets nothing more after that.
   */
  notificationReadyMsMax: 1_000,
  /** Attempts of one notification. */
  notificationAttemptsMax: 10,
  /** The wait before the second attempt; each further wait is twice as long. */
  notificationRetryMs: 1_000,
  /** The longest of these waits, unless the provider requests a longer one. */
  notificationRetryMsMax: 10 * minuteMs,
  /** The body of a request to the legacy REST API: enough for 10,000 phone numbers. */
  notificationRestBytesMax: mib,
  /** The fields of such a request, in its body or in its query. */
  notificationRestFieldsMax: guard(10_100),
  /** Bindings on the largest page that such a request can have. */
  notificationRestPageMax: 1_000,
  /** Requests of one account in flight in a process. The next one receives 429. */
  notificationRestRunsMax: 100,
  /** Wrong tokens of one account from one address in a minute; past it no token is checked. */
  notificationRestFailuresPerMinuteMax: 30,
  /** Addresses without a binding in one notification. */
  notificationDirectMax: 10_000,
  /** Configurations of one AccountSid whose tokens are compared. */
  notificationAccountHoldersMax: 10_000,
  /** Bindings of an export in one transaction, and in one request. */
  notificationImportBatchMax: 500,
  /** A receipt of a provider. */
  notificationReceiptBytesMax: guard(64 * kib),
  /** The longest difference between the time of a webhook's receipt and ours. */
  notificationReceiptSkewS: 300,
  /** Receipts that a process has in flight. The next one receives 503. */
  notificationReceiptsMax: 200,
  /**
   * Lookups of a receipt while texts are in flight: it may have overtaken the answer that names its
   * message.
   */
  notificationReceiptTriesMax: 20,
  /** The pause between two of these lookups. */
  notificationReceiptPauseMs: 200,

  /**
   * The time to make or to drop a temporary database: the server writes what of all its databases
   * is in memory first.
   */
  databaseMadeMsMax: 2 * minuteMs,
  /**
   * The interval at which connections are checked that await an answer of the database. If nothing
   * has come since the last check, a new connection verifies that the server answers and runs the
   * statement; if not, the connection is cut, and callers that wait for it are answered 503. A
   * statement itself may take as long as it needs.
   */
  databaseCheckMs: 5_000,
  /**
   * The interval at which a connection that only listens, or holds a lock, sends a small statement.
   */
  databaseHeartbeatMs: 15_000,
  /**
   * The time for which a process whose connection ended may still count as one that uses the
   * tables, when another version changes them.
   */
  databaseReleaseMsMax: 5_000,
  /**
   * The time for which a process that serves counts as running after it last said so in the
   * database, where others compare their settings with its own.
   */
  processSeenMs: shared(6_000),
  /** The interval at which a process that serves says in the database that it runs. */
  processRenewMs: shared(2_000),
  /** The interval at which a start compares its settings again with those of others. */
  processCompareMs: 200,
  /** The time for the embedded engine to write everything when it ends. */
  engineStopMsMax: minuteMs,
  /** The time for the embedded engine's answer to a command that looks for it. */
  engineConnectMsMax: 5_000,
  /** The pause before another attempt to start an embedded engine that ended. */
  engineRetryMs: 1_000,
  /** The interval at which a start or a stop of the embedded engine is checked. */
  enginePollMs: 10,
  /** The interval at which `/healthz` checks that the database takes writes. */
  healthProbeMs: 1_000,
  /** The size of the embedded engine's log past which a start sets it aside. */
  engineLogBytesMax: 16 * mib,
} as const satisfies Readonly<Record<string, number | LimitDefinition>>

export type LimitName = keyof typeof table

export type LimitValues = Readonly<Partial<Record<LimitName, number>>>

const entries = Object.entries<number | LimitDefinition>(table).map(
  ([name, entry]) =>
    [name, typeof entry === 'number' ? { kind: 'internal', value: entry } : entry] as const,
)

/** The kind and the default of each limit, in the order of the table. */
export const limitDefinitions = Object.fromEntries(entries) as Readonly<
  Record<LimitName, LimitDefinition>
>

const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value])) as {
  [Name in keyof typeof table]: number
}

/**
 * The values in force. Code reads a settable one when it needs it, never while its module loads:
 * `applyLimits` may come after that.
 */
export const limits: { readonly [Name in keyof typeof table]: number } = values

/** Sets limits of this process or worker thread, before anything is created that reads them. */
export function applyLimits(changes: LimitValues): void {
  Object.assign(values, changes)
}

/** The limits that differ from their defaults, for `applyLimits` in a worker thread. */
export function changedLimits(): LimitValues {
  const changed = entries.filter(([name, { value }]) => values[name as LimitName] !== value)
  return Object.fromEntries(changed.map(([name]) => [name, values[name as LimitName]]))
}
