const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Every limit of the platform, with its unit in its name. Each has its section in
 * docs/reference/limits.md (the tidy test compares); the relations in relations.ts are asserted.
 */
export const limits = {
  /** The body of one device request. */
  deviceBodyBytesMax: 2 * mib,
  /** The body of an activation: the longest identity and password, each byte percent-encoded. */
  activationBodyBytesMax: 8 * kib,
  /** Fields of an activation's body, of a download's query or of a receipt of a provider. */
  formFieldsMax: 100,
  /** A header that holds a date, a range or a time; a longer one is none. */
  shortHeaderCharsMax: 128,
  /** One value of a resource, as UTF-8. */
  resourceValueBytesMax: mib,
  /** Aliases in one write, read or record. */
  aliasesPerRequestMax: 1000,
  /** Points in one record call. */
  pointsPerRecordMax: 10_000,
  /** The request line and headers of any request. */
  headerBytesMax: 16 * kib,
  /** How long a device may take to send one request. */
  deviceRequestMsMax: 30_000,
  /** How long a client may take for the TLS handshake of an HTTPS connection. */
  tlsHandshakeMsMax: 30_000,
  /** How long what comes after a request that cannot be read is still read. */
  refusalReadMsMax: 1_000,
  /** How long an idle connection is kept. Long, because a new TLS connection costs 1 ms of CPU. */
  deviceIdleMsMax: 10 * minuteMs,
  /** A long poll asks for at most this; more is clamped, not refused. */
  longPollMsMax: 300_000,
  /** Hosts of which the server's certificate is kept in memory. */
  hostCertificatesMax: 1_000,
  /** Devices of which one connection's end is told in the log. */
  devicesPerSocketMax: 100,
  /** Aliases that a line of the log names. */
  aliasesShownMax: 5,
  /** Long polls open at once in a process. */
  longPollsMax: 20_000,

  /** MQTT connections open at once in a process. */
  mqttClientsMax: 20_000,
  /** MQTT connections of one device; past it the oldest is closed. */
  mqttClientsPerDeviceMax: 10,
  /** How long an MQTT client may take for its TLS handshake, and again for its CONNECT. */
  mqttConnectMsMax: 10_000,
  /** How long an anonymous MQTT connection is kept: long enough to activate. */
  mqttAnonymousMsMax: minuteMs,
  /** An MQTT packet that is no PUBLISH. */
  mqttControlBytesMax: 64 * kib,
  /** An MQTT PUBLISH: its payload and its topic. */
  mqttPublishBytesMax: 2 * mib + 64 * kib,
  /** Topics of one MQTT SUBSCRIBE or UNSUBSCRIBE. */
  mqttTopicsMax: 100,
  /** MQTT packets that a process takes in one turn of its loop; a topic of a SUBSCRIBE is two. */
  mqttPacketsPerTurn: 128,
  /** How many of them one connection has before others that wait. */
  mqttPacketsShare: 32,
  /** Bytes of one MQTT client that wait for their commit; past it nothing more is read from it. */
  mqttInFlightBytesMax: 256 * kib,
  /** Topics to which one MQTT client is subscribed. */
  mqttSubscriptionsMax: 100,
  /** How long an MQTT client may leave what it is sent unread. */
  mqttUnreadMsMax: 10_000,
  /** Bytes of values set from the cloud that wait for one MQTT client; past it, it is closed. */
  mqttPushBytesMax: 4 * mib,
  /** How often MQTT connections are looked over: credentials withdrawn, packets begun long ago. */
  mqttCheckMs: 500,
  /** A ping makes the door look for set values at most this often for one client. */
  mqttCatchUpMsMin: 5_000,

  /** Messages that wait for their commit in one shard; past it devices are told 503. */
  pendingMessagesMax: 8_000,
  /** Bytes that wait for their commit in one shard. */
  pendingBytesMax: 32 * mib,
  /** Messages in one transaction of the event log. */
  flushMessagesMax: 1_000,
  /** Bytes in one transaction of the event log; one message may be larger, then it goes alone. */
  flushBytesMax: 512 * kib,
  /** Texts of statements that a connection keeps prepared. */
  preparedTextsMax: 2_000,
  /** How often a transaction that lost a race is tried again. */
  transactionTriesMax: 8,
  /** What a 503 tells the device. */
  retryAfterS: 1,
  /** Partitions of the log, and so the parallelism of every consumer. */
  logPartitions: 4,
  /** Transactions that append to the log at once; each serves some of the partitions. */
  logWriters: 2,
  /** Entries in one batch of a consumer. */
  consumerBatchMax: 500,
  /** How long a consumer that has caught up lets entries gather before it reads again. */
  consumerGatherMs: 25,
  /** Between two hints that a process sends to others; after one that failed. */
  hintPauseMs: 100,
  hintRetryMs: 5_000,
  /**
   * The longest that a command waits until a change counts in the other processes, where hints do
   * not get through: no cache of solutions is believed for longer. How often it looks for answers.
   */
  hintReachMs: 1_000,
  hintAnswerPollMs: 10,
  /** Keys that a hint names, and their characters; past it the hint means any. */
  hintKeysMax: 100,
  hintCharsMax: 4_000,
  /** A process looks for what others set at least this often, hint or not; so soon after a hint. */
  setsPollMs: 1_000,
  setsPauseMs: 10,
  /** Sets of a partition that one look reads; own ones that are remembered until then. */
  setsReadMax: 1_000,
  setsRememberedMax: 100_000,
  /** A consumer looks for new entries at least this often, hint or not. */
  consumerPollMs: 500,
  /** The longest pause between two tries of a batch that fails. */
  consumerRetryMsMax: 10_000,
  /** How often a batch of one entry is tried before the entry is set down as failed. */
  consumerTriesMax: 5,
  /** How long an entry is kept once every consumer has passed it. */
  logRetentionHours: 7 * 24,
  /** Entries that one step of retention removes. */
  retentionBatchMax: 10_000,
  /** How often retention looks. */
  retentionEveryMs: 10 * minuteMs,
  /** A clock that is later than the last removal of old data by more is not believed at once. */
  upkeepGapHoursMax: 3 * 24,
  /** How long a clock that is not believed has to be stable until it is. */
  upkeepSettleHours: 24,
  /** A clock that differs by more from the time that has passed meanwhile was set. */
  upkeepDriftMsMax: 10 * minuteMs,

  /** What a device does again within this time becomes one line of its connector's log. */
  noteRepeatMs: 30_000,
  notesRememberedMax: 10_000,
  /** Lines of one connector's log in a minute, of refusals and of the rest, beside entries. */
  notesPerMinuteMax: 600,
  /** How often notes are written to the logs, how many at once, how many wait; how long kept. */
  noteFlushMs: 500,
  noteBatchMax: 1_000,
  notesWaitingMax: 10_000,
  noteRetentionHours: 7 * 24,
  noteCharsMax: 500,
  /** Lines of a connector's log that one filtered question looks at. */
  lineSearchMax: 20_000,
  /** A write whose values are shown in its line; of a longer one only the size. */
  lineBodyBytesMax: 4 * kib,
  /** A live view of a log: how often it looks, rests, looks back, and what it shows at once. */
  tailPollMs: 1_000,
  tailPauseMs: 200,
  tailOverlapMs: 5_000,
  tailPageMax: 500,
  tailSearchMax: 5_000,
  /** Live views of logs in a process, their signs of life, and what a reader may leave unread. */
  logStreamsMax: 200,
  logStreamHeartbeatMs: 15_000,
  logStreamCheckMs: 500,
  logStreamWaitingBytesMax: mib,

  /** One content for devices, such as a firmware image; contents of a connector; their ids. */
  contentBytesMax: 512 * mib,
  contentsMax: 1_000,
  contentIdCharsMax: 128,
  /** What one row holds of a content: also what an upload or a download holds in memory. */
  contentChunkBytes: 256 * kib,
  /** Uploads of contents in a process, and how long a request with a body may take. */
  contentUploadsMax: 16,
  contentUploadMsMax: hourMs,
  /** How long a content that was replaced stays, for the downloads of it that are under way. */
  contentReplacedHours: 24,
  /** Downloads in a process, and how long a device may take nothing of one before it is cut. */
  downloadsMax: 500,
  downloadStallMsMax: 60_000,

  /** Activations in one transaction, and those that wait for one; past it devices are told 503. */
  activationBatchMax: 100,
  activationsWaitingMax: 2_000,
  /** Activations that wait for an identity which somebody else holds, and for how long. */
  activationsBlockedMax: 4,
  activationBlockedMsMax: 2_000,
  /** How long a whitelisted identity may wait for its activation when nothing else is said. */
  activationWindowHours: 48,
  /** Identities that a connector may have where nothing else is said, and at most. */
  connectorIdentities: 1_000_000,
  connectorIdentitiesMax: 10_000_000,
  /** Devices that may register themselves from one address in a minute; and at most. */
  registrationsPerMinute: 1_000,
  registrationsPerMinuteMax: 1_000_000,
  /** Addresses whose self-registrations are counted in a process. */
  registrationAddressesMax: 100_000,
  /** How often windows that closed are told to the log; how many at once. */
  windowSweepMs: 1_000,
  windowSweepMax: 100,
  /** A device's identity. */
  identityCharsMax: 512,
  /** Tags of one identity, signal or asset. */
  tagsMax: 20,
  /** A device's certificate, as PEM. */
  certificateCharsMax: 16 * kib,
  /** A revocation list, its number, and the lists that are kept in memory. */
  crlBytesMax: mib,
  crlNumberBytesMax: 20,
  crlCacheMax: 50,
  /** A CSV file of identities. */
  csvBytesMax: 1024 * mib,
  /** One row of it, and cells of one row. */
  csvRowBytesMax: 4 * mib,
  csvCellsMax: 1_000,
  /** Rows, and bytes, of it that are in memory before they are written. */
  csvBatchRowsMax: 1_000,
  csvBatchBytesMax: 512 * kib,
  /** How long a client may send nothing of the file, or take nothing of the answer. */
  csvStallMsMax: 2 * minuteMs,
  /** CSV files that a process takes at once; past it an operator is told 503. */
  csvImportsMax: 4,
  /** How far from now a window may be set by hours: ten years. */
  windowHoursMax: 10 * 366 * 24,
  /** A device's password. */
  devicePasswordBytesMin: 20,
  devicePasswordBytesMax: 512,
  /** Wrong passwords for one identity from one address in a minute; then 503 without looking. */
  failedDevicePasswordsPerMinuteMax: 20,
  /** Devices of which verified passwords, or wrong ones, are remembered. */
  devicePasswordsRememberedMax: 100_000,
  /** Colons of `<identity>:<password>` at which the password may begin. */
  passwordColonsMax: 32,
  /** Addresses and ranges from which a connector lets devices be provisioned. */
  allowedAddressesMax: 1_000,
  /** Resources of one connector. */
  resourcesMax: 200,
  /** Identities of which the credential is kept in memory. */
  credentialCacheMax: 100_000,
  /** How long a credential that was found is believed without asking the database. */
  credentialCacheMs: 60_000,
  /** How long two credentials of a device work beside each other when nothing else is said. */
  rotationHours: 24,
  /** How long a device is not given another new credential: its answer may be under way. */
  rotationFetchAgainMs: 10_000,
  /** How often rotations whose time is over are written down; how many at once. */
  rotationSweepMs: 1_000,
  rotationSweepMax: 100,
  /** How often a process looks which connections others have revoked; how many rows at once. */
  revocationPollMs: 250,
  revocationBatchMax: 1_000,
  /** How long a revocation stays for the processes that have not read it. */
  revocationKeptMs: hourMs,
  /** The label of a connector's host, which is its id. */
  hostLabelCharsMax: 63,
  /** How long the label of a removed connector or solution stays its business's. */
  hostLabelKeptMs: 30 * 24 * hourMs,
  /** Labels that a business keeps so; past it the oldest are freed. */
  hostLabelsKeptMax: 1_000,
  /** Labels of which a process remembers who answers there, and for how long. */
  hostCacheMax: 10_000,
  hostCacheMs: 1_000,
  /** Labels that a start logs because nobody could take them today. */
  hostsReportedMax: 100,
  /** Connectors of one business. */
  connectorsMax: 1_000,
  /** Connectors that are kept in memory. */
  connectorCacheMax: 10_000,
  /** How long a connector's settings are believed without asking the database. */
  connectorCacheMs: 3_000,
  /** How often what is left of deleted connectors is cleared away, and how many rows at once. */
  connectorRemovalEveryMs: 1_000,
  connectorRemovalBatchMax: 2_000,
  connectorRemovalsMax: 100,
  /** How long nothing may be made of a deleted connector's id: until nobody remembers it. */
  connectorRemovalSettleMs: 120_000,
  /** The name of a resource. */
  aliasCharsMax: 100,
  /** Literals and ranges that one resource allows. */
  allowedMax: 100,
  /** A text within settings: a description, a unit, an allowed value, an initial value, a tag. */
  settingCharsMax: 1_000,
  /** The resources of one connector, as JSON: a connector in memory stays small. */
  resourcesBytesMax: 64 * kib,
  /** Current values in one answer: of a device, or of a page of devices. */
  stateBytesMax: 16 * mib,
  /** A device's secret token. */
  tokenChars: 40,
  /** A device is online for so long after it was last seen. */
  deviceOnlineMs: 6 * minuteMs,
  /**
   * How far stamps may lead the wall clock after it was set back; a stored stamp that is further
   * ahead counts as made by a wrong clock.
   */
  clockLeadMsMax: 1_000,
  /** How often the devices that were seen are written down. */
  presenceFlushMs: 1_000,
  /** Devices that wait to be written down as seen; past it a sighting is dropped. */
  presenceNotesMax: 100_000,
  /** Devices that one statement writes down. */
  presenceBatchMax: 1_000,
  /** How long a verified password is believed without running argon2 again. */
  passwordCacheMs: 5 * minuteMs,

  /** A certificate signing request, as PEM. */
  csrCharsMax: 16 * kib,
  /** The modulus of an RSA key in a signing request. */
  rsaBitsMin: 2048,
  rsaBitsMax: 8192,
  /** The public exponent of such a key. */
  rsaExponentMin: 65_537,
  rsaExponentMax: 2 ** 32 - 1,
  /** An object identifier in a signing request, as bytes. */
  objectIdBytesMax: 32,
  /** Parts without a length that may lie in one another in a vendor's answer. */
  derDepthMax: 16,
  /** Months that a device's certificate is valid when nothing is said. */
  certificateMonthsDefault: 12,
  /** Months that may be asked for. */
  certificateMonthsMax: 240,
  /** How far before now a certificate begins, for clocks that are behind. */
  certificateBackdateMs: 5 * minuteMs,
  /** Months that a connector's built-in authority is valid. */
  authorityMonths: 240,
  /** Connecting to a certificate vendor. */
  vendorConnectMsMax: 3_000,
  /** One call of a certificate vendor, from first byte out to last byte in. */
  vendorCallMsMax: 20_000,
  /** Requests that are being signed at once, for one connector and in a process. */
  vendorCallsOfConnectorMax: 8,
  vendorCallsMax: 64,
  /** A certificate vendor's answer. */
  vendorAnswerBytesMax: 256 * kib,
  /** Certificates in a vendor's answer, or in a connector's client CA. */
  vendorCertificatesMax: 20,
  /** What is repeated of a vendor's own words. */
  vendorSentenceCharsMax: 300,

  /** An account holder's password. */
  accountPasswordCharsMin: 10,
  accountPasswordCharsMax: 512,
  /** A session of the console or of the management API. */
  sessionHours: 12,
  /** Failed sign-ins in a minute of an e-mail address, and of it from one network address. */
  failedSignInsPerMinuteMax: 20,
  /** Password checks that run at once; each holds 19 MiB. */
  passwordChecksMax: 8,
  /** Of them, those for e-mail addresses that nobody has; more wait for one that runs. */
  passwordChecksUnknownMax: 2,
  /** Failed sign-ins in a minute from one network address, for whatever account. */
  failedSignInsPerAddressMax: 200,
  /** Password checks that wait for one to end; past it a sign-in is told 503. */
  passwordChecksWaitingMax: 64,
  /** E-mail addresses of which failed sign-ins, or verified passwords, are remembered. */
  signInsRememberedMax: 10_000,
  /** Sessions of one user; a sign-in past it ends the oldest. */
  sessionsPerUserMax: 20,
  /** API tokens of one business. */
  apiTokensMax: 1_000,
  /** How long a session or an API token that was found is believed without asking the database. */
  accountCacheMs: 5_000,
  /** Sessions and API tokens that are kept in memory, of each. */
  accountCacheMax: 10_000,
  /** An e-mail address. */
  emailCharsMax: 254,

  /** A JSON body of the management API. */
  managementBodyBytesMax: mib,
  /** The body of a sign-in: the longest address and password, each letter as an escape. */
  signInBodyBytesMax: 8 * kib,
  /** How deep JSON may be nested: deeper values could not be written again. */
  jsonDepthMax: 200,
  /** Hours of the ledger in one answer. */
  ledgerHoursMax: 1_000,
  /** Files of the console's build that are served. */
  consoleFilesMax: 1_000,
  /** One file of the console's build. */
  consoleFileBytesMax: 8 * mib,
  /** Rows of any list. */
  pageMax: 1_000,
  /** Rows of a list when nothing is asked. */
  pageDefault: 100,

  /** A GraphQL document with its variables. */
  graphqlBodyBytesMax: 256 * kib,
  /** Tokens in a GraphQL document. */
  graphqlTokensMax: 5_000,
  /** Nested selections in a GraphQL document. */
  graphqlDepthMax: 15,
  /** Selections of a GraphQL document, with every fragment written out. */
  graphqlSelectionsMax: 1_000,
  /** How often a GraphQL document may select one name at one place. */
  graphqlRepeatsMax: 50,
  /** Fields in one GraphQL answer, counted as rows times the document's selections. */
  graphqlFieldsMax: 500_000,
  /** What one GraphQL request asks about single things: histories, logs, states, devices. */
  graphqlLookupsMax: 100,
  /** How long one GraphQL request may run. */
  graphqlMsMax: 10_000,
  /** Parsed and validated documents that are kept. */
  graphqlDocumentsMax: 500,
  /** A GraphQL document above this is not kept. */
  graphqlKeptCharsMax: 16 * kib,

  /** Values that one history query returns. */
  historyValuesMax: 10_000,
  /** Signals that devices feed, with these devices, that are kept in memory. */
  feedsRememberedMax: 50_000,
  /** Signals of one asset. */
  signalsPerAssetMax: 1_000,
  /** A name that a person gives to anything. */
  nameCharsMax: 200,
  /** A description that a person or a device gives to anything. */
  descriptionCharsMax: 4_000,
  /** How many groups may lie in one another. */
  groupDepthMax: 20,
  /** Groups of one business. */
  groupsMax: 5_000,
  /** Weeks for which the partitions of values are made ahead. */
  valueWeeksAhead: 4,
  /** How long a signal may be silent at most before its asset says so: a hundred years. */
  signalTimeoutMsMax: 100 * 365 * 24 * hourMs,
  /** Values that one statement writes. */
  valueBatchMax: 10_000,
  /** What is said about one odd `config_io`, in sentences. */
  complaintsMax: 100,
  /** Lines that an asset's log keeps, how long each may be, and for how long it is kept. */
  assetLinesMax: 500,
  assetLineCharsMax: 2_000,
  assetLineHours: 30 * 24,
  /** How long the events of statuses are kept. */
  statusEventHours: 366 * 24,

  /** Outgoing calls under way at once in a process. */
  outboundCallsMax: 512,
  /** Connections to one origin. */
  outboundConnectionsMax: 64,
  /** Origins to which connections are open at once. */
  outboundOriginsMax: 1_000,
  /** How long an idle outgoing connection is kept. */
  outboundIdleMsMax: 10_000,
  /** Guests (a solution with its certificate) whose connections are kept apart at once. */
  outboundGuestsMax: 1_000,
  /** How long a connection for a guest may take, whatever the guest itself would wait. */
  outboundGuestConnectMsMax: 10_000,
  /** Sockets of one guest, those that still connect included. */
  outboundGuestSocketsMax: 200,
  /** How long a DNS server may take for a guest's name before it is asked again, once. */
  outboundDnsMs: 2_000,
  /** HTTP/2: connections at once, streams of one, how long one rests, tries of what never began. */
  outboundHttp2ConnectionsMax: 1_000,
  outboundHttp2StreamsMax: 1_000,
  outboundHttp2IdleMsMax: 10 * minuteMs,
  outboundHttp2TriesMax: 3,

  /** A script's HTTP request: its connecting, when it says nothing, and at most. */
  httpConnectMs: 3_000,
  httpConnectMsMax: 10_000,
  /** From the moment it goes out to the answer's last byte, redirects together. */
  httpReceiveMs: 5_000,
  httpReceiveMsMax: 20_000,
  /** Redirects that one request follows. */
  httpRedirectsMax: 5,
  /** Its URL, and its body once secrets are put in. */
  httpUrlCharsMax: 8 * kib,
  httpBodyBytesMax: 2 * mib,
  /** Its answer's body, as sent and as decompressed. */
  httpAnswerBytesMax: 960 * kib,
  /** Requests of one solution at once. */
  httpRequestsMax: 20,
  /** Credentials in a call or in a configuration, and each text of sslOptions. */
  httpCredentialsCharsMax: 16 * kib,
  httpPemCharsMax: 32 * kib,
  /** Private addresses that are open for the scripts of one business. */
  httpAllowMax: 100,
  /** How long they are believed without asking the database; businesses that are remembered. */
  httpAllowCacheMs: 2_000,
  httpAllowCacheMax: 10_000,

  /** Inlets and outlets of an insight function. */
  inletsMax: 5,
  outletsMax: 5,
  /** One call of an insight module, from first byte out to last byte in. */
  moduleCallMsMax: 10_000,
  /** Connecting to an insight module. */
  moduleConnectMsMax: 3_000,
  /** An insight module's answer. */
  moduleAnswerBytesMax: 4 * mib,
  /** How often a call that could not reach the module is tried. */
  moduleTriesMax: 3,
  /** Calls of insight modules under way at once. */
  moduleCallsMax: 64,
  /** After so many failures in a row a module rests before it is called again. */
  moduleFailuresInRowMax: 5,
  modulePauseMs: 5_000,
  /** The pause before a module that could not be reached is tried again; it doubles each time. */
  moduleRetryMs: 50,
  /** Insight modules of one business. */
  modulesMax: 100,
  /** How long a module's list of functions is believed without asking again. */
  moduleFunctionsCacheMs: 10_000,
  /** Lists of functions that are kept in memory. */
  moduleFunctionsCachedMax: 1_000,
  /** Functions that one module may list in one group. */
  moduleFunctionsMax: 1_000,
  /** What is repeated of a module's own words in a log or an answer. */
  moduleSentenceCharsMax: 300,
  /** Past values of one inlet that a function which asks for history is given. */
  moduleHistoryValuesMax: 100,
  /** The same complaint about the same link is written into the asset's log this often at most. */
  moduleNoteRepeatMs: 60_000,
  /** Complaints that are remembered, so that they are not repeated. */
  moduleNotesRememberedMax: 10_000,
  /** Links in one asset's pipelines. */
  linksPerAssetMax: 100,
  /** Values of one constant that may be given several times. */
  constantValuesMax: 100,
  /** Entries whose functions are run before their results are stored together. */
  functionsBatchMax: 100,
  /** Last values of inlets that are kept in memory for functions with several. */
  inletValuesRememberedMax: 100_000,
  /** Links that one value may pass through; SignalData's `ttl` starts here. */
  pipelineStepsMax: 20,
  /** Values that one call's answer may hold. */
  moduleAnswerValuesMax: 10_000,

  /** Memory of one solution's virtual machine, when nothing else is set, and at most. */
  scriptMemoryBytes: 32 * mib,
  scriptMemoryBytesMax: 256 * mib,
  /** CPU of one call: milliseconds of its thread's time. */
  scriptCpuMs: 600,
  /** How often a script's loops may turn before the engine looks at its limits: a tick. */
  scriptLoopsPerTick: 20_000,
  /** Slots of a script's stack. A call takes a few; past it a recursion is a "stack overflow". */
  scriptStackSlotsMax: 100_000,
  /** How long one call of a script may take, with the answers that it waits for. */
  scriptWallMs: 30_000,
  /** The text of one script. */
  scriptSourceBytesMax: mib,
  /** An argument or a result of a script's call, in JSON. */
  scriptValueBytesMax: mib,
  /** Values in one argument or result, and how deep they may lie in one another. */
  scriptValueNodesMax: 50_000,
  scriptValueDepthMax: 64,
  /** Service calls of one call of a script. */
  scriptServiceCallsMax: 200,
  /** How many solutions may call one another, one above the other. */
  scriptDepthMax: 8,
  /** Calls of one solution that run at once, and that wait; past it a caller is told 429. */
  scriptCallsMax: 100,
  /** The same of a solution whose calls have each a machine of its own. */
  scriptColdCallsMax: 8,
  /** Patterns of one part in a project's `murano.yaml`, and their characters. */
  projectPatternsMax: 20,
  projectPatternCharsMax: 100,
  scriptQueuedMax: 1_000,
  /** What one call may write to the log. */
  scriptLogBytesPerCallMax: 64 * kib,
  /** What is told of the message of a script's error. */
  scriptErrorCharsMax: 2_000,
  /** The format that a script gives to `os.date`. */
  scriptDateFormatBytesMax: 1_000,
  /** The width of one conversion of `os.date`, in characters. */
  scriptDateWidthMax: 250,
  /** Virtual machines of solutions in a process; past it the one idle for longest is dropped. */
  scriptMachinesMax: 1_000,
  /** Memory of the machines of a worker; past it the one idle for longest is dropped. */
  scriptMachinesBytesMax: 512 * mib,
  /** What a worker's own code may take beside its machines, before it is ended. */
  scriptWorkerHeapMib: 256,
  /** What is new in it. V8 ends the whole process where more than 16 of it grow old at once. */
  scriptWorkerYoungMib: 8,
  /** A solution whose scripts fail at the opening is not opened again within this time. */
  scriptReopenMs: 2_000,
  /** Messages in one batch to a worker, and batches under way. */
  scriptBatchMax: 256,
  scriptBatchesMax: 2,
  /** What the calls of one batch are thought to take of CPU. */
  scriptBatchMs: 20,
  /** How often the main thread looks at calls and workers while scripts run. */
  scriptWatchdogMs: 25,
  /** How long a worker may be at one message without any progress before it is ended. */
  scriptHangMs: 5_000,
  /** A call that holds its thread for so much CPU has spun; its solution moves apart. */
  scriptQuarantineCpuMs: 50,
  /** A call that holds its worker for so long has no others wait for it. */
  scriptBlockedMs: 250,
  /** Workers that are left to one call each. */
  scriptWorkersBlockedMax: 4,
  /** Workers that wait to take the place of one that is left. */
  scriptWorkersSpareMax: 2,
  /** CPU that a solution may use at once, beyond its share of a thread, before it moves apart. */
  scriptBurstMs: 500,
  scriptSharePercent: 25,
  /** How long it stays apart; twice as long each time that it spins again soon, and at most. */
  scriptQuarantineMs: minuteMs,
  scriptQuarantineMsMax: 32 * minuteMs,
  /** Solutions of which it is known which worker has them. */
  scriptPlacementsMax: 10_000,
  /** Sources of so many characters are compiled beside what runs; larger ones apart. */
  scriptCheckSmallChars: 64 * kib,
  /** Sources of one solution that wait to be compiled: two pushes of all that it may have. */
  scriptChecksWaitingMax: 1_000,
  /** A solution that cost a worker rests; the rest doubles with each further one. */
  scriptCrashBackoffMs: 1_000,
  scriptCrashBackoffMsMax: minuteMs,
  /** A solution's log: one line, lines of each kind in a minute, lines that wait, how long kept. */
  scriptLineCharsMax: 4_000,
  scriptLinesPerMinuteMax: 600,
  scriptLinesWaitingMax: 10_000,
  scriptLineHours: 7 * 24,
  /** A process has the lease of a job that it runs for so long, and renews it in time. */
  jobLeaseMs: 10_000,
  jobRenewMs: 2_500,
  /** How often a process looks for jobs that are due, if none is due sooner. */
  jobPollMs: 250,
  /** Tenants of a queue that are read at once. */
  jobTenantsMax: 200,
  /** Outcomes of jobs that share a transaction. */
  jobSettleBatchMax: 1_000,
  /** The step and the reason that are stored with a job that failed, each. */
  jobReasonCharsMax: 1_000,
  /** How long a process that closes waits for jobs that run. */
  jobCloseMs: 1_000,
  /** A process keeps a delivery that it runs for so long, and renews that in time. */
  deliveryLeaseMs: 10_000,
  deliveryRenewMs: 2_500,
  /** How often a process looks for deliveries that wait. */
  deliveryPollMs: 250,
  /** Deliveries of one solution that a process takes at once, and runs at once. */
  deliveryClaimMax: 256,
  deliveryRunsMax: 64,
  /** Solutions of which deliveries are looked at in one turn. */
  deliverySolutionsMax: 200,
  /** The pause before a delivery that was never begun is tried again; it doubles each time. */
  deliveryAgainMs: 250,
  deliveryAgainMsMax: minuteMs,
  /** Calls of one solution that wait; what comes then is kept among its failures. */
  deliveriesWaitingMax: 50_000,
  /** Deliveries that failed for good: how many a solution keeps, and for how long. */
  deadDeliveriesMax: 10_000,
  deadDeliveryHours: 30 * 24,
  /** A request to an endpoint of a solution: its body, and the fields of its query or form. */
  endpointBodyBytesMax: 960 * kib,
  /** JSON that is read on the main thread; a longer one costs the CPU of the solution's worker. */
  endpointJsonBytesMax: 16 * kib,
  endpointFieldsMax: 1_000,
  /** What an endpoint may say of its rate, and callers that are counted in a process. */
  endpointRateMax: 1_000_000,
  endpointRateSecondsMax: 24 * 3_600,
  endpointCallersRememberedMax: 100_000,
  /** Ids of solutions of which a process remembers whose they are, or that there is none. */
  endpointSolutionsRememberedMax: 10_000,
  /** Keys of one solution's endpoints; how long one must and may be. */
  endpointKeysMax: 100,
  endpointKeyCharsMin: 20,
  endpointKeyCharsMax: 512,
  /** Origins, methods or headers that the endpoints of a solution allow across origins. */
  endpointCorsItemsMax: 100,
  /** How long a browser may believe what it was told of that. */
  endpointCorsSeconds: 600,
  /** Websockets that are open at once in a process, and of one solution in it. */
  socketsMax: 5_000,
  socketsOfSolutionMax: 1_000,
  /** One message of a websocket's client; its fragments, and the pieces in which they come. */
  socketMessageBytesMax: 128 * kib,
  socketFragmentsMax: 1_000,
  /** Messages of one websocket that wait; past it nothing more is read, then it is closed. */
  socketWaitingMax: 64,
  socketFloodMax: 1_000,
  /** Bytes that clients left unread: of one websocket, of those of a solution, of all. */
  socketUnreadBytesMax: mib,
  socketsUnreadOfSolutionBytesMax: 32 * mib,
  socketsUnreadBytesMax: 128 * mib,
  /** After so much silence a websocket is pinged; without an answer in time it is cut. */
  socketPingMs: 30_000,
  socketPongMsMax: 30_000,
  /** How often websockets are looked over, and how long a credential is believed. */
  socketRecheckMs: 1_000,
  socketCredentialMs: 30_000,
  /** Among several processes: how often each says that it lives, and how long that is believed. */
  socketLeaseRenewMs: 5_000,
  socketLeaseMs: 30_000,
  /** How often a process looks what others want of its websockets; what may wait for that. */
  socketCommandPollMs: 250,
  socketCommandsMax: 1_000,
  /** How long a client may take to close its side; the words of a close that say why. */
  socketCloseMs: 5_000,
  socketReasonBytesMax: 123,
  /** How long a process that stops waits for scripts that run. */
  scriptCloseMs: 1_000,
  /** How long the events of a batch may be handled before what is left is put off. */
  scriptEventsSliceMs: 250,
  /** How many such times a solution may have that would be through with them at its pace. */
  scriptEventsSlicesMax: 4,
  /** Entries in one batch of the events for scripts. */
  scriptEventsBatchMax: 250,
  /** How long one process keeps the events of a partition to itself, and when it renews that. */
  scriptPartitionLeaseMs: 5_000,
  scriptPartitionLeaseRenewMs: 1_500,
  /** How long it is believed which solutions have a connector; and of how many connectors. */
  subscriptionCacheMs: 1_000,
  subscriptionCacheMax: 10_000,
  /** Coroutines of one virtual machine that wait for the next call. */
  scriptCoroutinesIdleMax: 16,

  /** A payload schema of a solution: how deep schemas lie in one another. */
  payloadSchemaDepthMax: 16,
  /** Schemas, and patterns, in all payloads of one exposed solution. */
  payloadSchemasMax: 2_000,
  payloadPatternsMax: 50,
  /** Entries of an `enum`, `required`, `examples` or list of `items`. */
  payloadListMax: 1_000,
  /** A pattern of a payload schema: its text, and the states of its machine. */
  payloadPatternCharsMax: 256,
  payloadPatternStatesMax: 500,
  /** What one payload may cost to check: a value is a step, a match states times characters. */
  payloadStepsMax: 100_000,

  /** What the definition of an exposed solution may list. */
  interfaceOperationsMax: 100,
  interfaceEventsMax: 100,
  interfaceParametersMax: 100,
  interfaceWhitelistMax: 1_000,
  interfaceTagsMax: 10,
  interfaceTagCharsMax: 20,
  /** Exposed solutions that are kept in memory, and how long they are believed without asking. */
  interfaceCacheMax: 1_000,
  interfaceCacheMs: 1_000,
  /** Exposed solutions of other businesses that one name is looked for in. */
  interfaceNamesakesMax: 100,
  /** Subscribers of one exposed solution, and how many one answer lists. */
  subscribersMax: 5_000,
  subscribersPageDefault: 20,
  subscribersPageMax: 100,
  /** Changes, and subscribers of each, that a refusal of breaking changes names. */
  breakingNamedMax: 10,
  /** Subscribers whose handlers one trigger runs at once. */
  triggersAtOnceMax: 16,
  /** Subscribers that one trigger looks up, or hands to deliveries, at once. */
  triggerBatchMax: 500,
  /** How long the handler of `subscriberUpdated` may take; the change waits for it. */
  subscriberUpdatedMsMax: 5_000,
  /** A quota of calls a day or a month. */
  quotaCallsMax: 1_000_000_000_000,
  /** How far the clock of another process may be ahead, for its day or month to be counted on. */
  quotaLeadMsMax: minuteMs,
  /** How long a subscription without a quota is believed to have none. */
  quotaCacheMs: 1_000,
  /** Subscriptions of which that is remembered. */
  quotaCacheMax: 10_000,

  /** The least memory that a solution may be given. */
  scriptMemoryBytesMin: 2 * mib,
  /** The most CPU of one call that a solution may be given. */
  scriptCpuMsMax: 6_000,
  /** The longest time for one call that a solution may be given. */
  scriptWallMsMax: 5 * minuteMs,
  /** Solutions of one business. */
  solutionsMax: 1_000,
  /** Scripts of one solution. */
  scriptsMax: 500,
  /** The name of a script, and of its file. */
  scriptNameCharsMax: 200,
  /** Lines of a file that holds several scripts. */
  scriptFileLinesMax: 10_000,
  /** All scripts of one solution together. */
  solutionSourceBytesMax: 4 * mib,
  /** How often a script may have a failed delivery tried again, and how long apart. */
  scriptRetriesMax: 20,
  scriptRetrySecondsMax: 24 * 3_600,
  /** The body of a push: a folder's files in JSON. */
  solutionPushBytesMax: 16 * mib,
  /** Services of one solution. */
  configurationsMax: 100,
  /** The parameters of one service of a solution, in JSON. */
  configurationBytesMax: 256 * kib,
  /** Scripts of solutions that are kept in memory, ready for a worker. */
  programsKeptBytesMax: 64 * mib,
  /** How long a solution is believed unchanged without asking the database. */
  programCheckMs: 250,

  /** Keys that one solution may keep. */
  keystoreKeysMax: 100_000,
  /** A key, as UTF-8. */
  keystoreKeyBytesMax: 1_024,
  /** What one key holds, in JSON. */
  keystoreValueBytesMax: mib,
  /** Keys in one `mdelete`. */
  keystoreKeysPerCallMax: 1_000,
  /** Keys in one answer of `list`. */
  keystoreListMax: 1_000,
  /** Changes, and reads, that wait in one lane of the keystore; past it scripts are told 503. */
  keystoreWaitingMax: 8_000,
  /** Changes in one transaction of the keystore. */
  keystoreBatchMax: 500,
  /** Expired keys that one step of the sweep removes. */
  keystoreSweepRowsMax: 1_000,

  /** Calls of one solution that wait; past it `scripts.trigger` adds none. */
  triggeredWaitingMax: 10_000,

  /** Timers that one solution may have. */
  timersMax: 1_000,
  /** The id of a timer, a schedule, a time zone. */
  timerIdCharsMax: 100,
  /** What a timer brings along, in JSON. */
  timerMessageBytesMax: 64 * kib,
  /** How far ahead a timer may be, and how long an interval. */
  timerMsMax: 366 * 24 * hourMs,
  /** The shortest interval of a timer. */
  timerEveryMsMin: 1_000,
  /** How often due timers are looked for where another process may have set one. */
  timerPollMs: 1_000,
  /** Due timers in one transaction. */
  timerBatchMax: 200,

  /** Metrics with their tags that one solution may have. */
  tsdbSeriesMax: 10_000,
  /** Metrics in one datapoint, or in one query. */
  tsdbMetricsMax: 100,
  /** Values in one `multiWrite`. */
  tsdbPointsPerCallMax: 5_000,
  /** Tags of one datapoint. */
  tsdbTagsMax: 20,
  /** The name of a metric, the name or the text of a tag. */
  tsdbNameCharsMax: 100,
  /** A text as the value of a metric, as UTF-8. */
  tsdbTextBytesMax: 4_096,
  /** Times in the answer of a query that names no limit. */
  tsdbRows: 1_000,
  /** Times in one answer of a query. */
  tsdbRowsMax: 10_000,
  /** How long one query may take. */
  tsdbQueryMsMax: 5_000,
  /** How long values over time are kept. */
  tsdbDaysMax: 400,
  /** Writes of values over time in one transaction. */
  tsdbBatchMax: 100,
  /** Writes of values over time that wait. */
  tsdbWaitingMax: 5_000,
  /** Metrics with tags of which the number is kept in memory. */
  tsdbSeriesKept: 100_000,
  /** Values that one step of the sweep removes. */
  tsdbSweepRowsMax: 5_000,

  /** A call to a provider: connecting, in total, its answer, the text that is stored of it. */
  pushConnectMsMax: 5_000,
  pushCallMsMax: 15_000,
  pushAnswerBytesMax: 64 * kib,
  pushReasonCharsMax: 300,
  /** The longest pause that a provider may ask for. */
  pushRetryAfterMsMax: hourMs,
  /** A text in a provider's settings, a key in it; credentials beside the usual one. */
  pushSettingCharsMax: 2_000,
  pushKeyCharsMax: 16 * kib,
  pushCredentialsMax: 100,
  /** Cached tokens of providers. */
  pushTokensMax: 10_000,
  /** How long a token for APNs is used; and the least age at which a new one may be made. */
  pushApnsTokenMs: 50 * minuteMs,
  pushApnsTokenMsMin: 20 * minuteMs,
  /** How long an assertion for an access token is valid; how long before its end it is renewed. */
  pushAssertionMs: hourMs,
  pushTokenEarlyMs: 5 * minuteMs,

  /** A payload for Apple or Firebase, in JSON; for Firebase without the token. */
  notificationPayloadBytesMax: 4_096,
  /** The text of an SMS, in all its segments. */
  notificationSmsCharsMax: 1_600,
  /** Media of one SMS. */
  notificationMediaMax: 10,
  /** Points of the timeline of one binding; a provider that repeats itself adds no more. */
  notificationEventsMax: 50,
  /** A text for the messenger. */
  notificationMessengerCharsMax: 2_000,
  /** Tags of a binding; tags, and identities, of a send or a list. */
  notificationTagsMax: 20,
  /** An identity, an endpoint, a tag, an AuthToken. */
  notificationNameCharsMax: 256,
  /** An address of a channel. */
  notificationAddressCharsMax: 4_096,
  /** A text of a notification, or a payload as text, before it is mapped. */
  notificationArgumentCharsMax: 64 * kib,
  /** The longest Ttl of a notification, and the default. */
  notificationTtlSMax: 4 * 7 * 24 * 3_600,
  /** Bindings that one solution may have. */
  notificationBindingsMax: 5_000_000,
  /** Bindings on a page of listBinding without PageSize. */
  notificationPageDefault: 50,
  /** Bindings on the largest page of listBinding. */
  notificationPageMax: 100,
  /** The last page of listBinding. */
  notificationPagesMax: 1_000,
  /** Bindings that a dry run lists with their payloads. */
  notificationPreviewMax: 50,
  /** Bindings for which one transaction makes jobs. */
  notificationExpandMax: 1_000,
  /** Notifications that a process has in flight. */
  notificationRunsMax: 400,
  /** Those of one queue, which is one channel of one solution. */
  notificationRunsOfQueueMax: 250,
  /** Jobs that are read ahead, in all and of one queue. */
  notificationReadyMax: 2_000,
  notificationReadyOfQueueMax: 500,
  /** Notifications in flight, or whose outcome is not written yet. */
  notificationUnsettledMax: 1_000,
  /** Queues that a process caches. */
  notificationQueuesMax: 2_000,
  /** The shortest pause between two polls of the queues. */
  notificationPollMsMin: 10,
  /** Attempts a second that a configuration may set for a channel. */
  notificationRatePerSecondMin: 0.1,
  notificationRatePerSecondMax: 10_000,
  /** The burst of an idle queue, as a duration of its rate. */
  notificationRateBurstMs: 100,
  /** Different addresses in a row that are to be retried; at the last the queue pauses. */
  notificationFailuresMax: 10,
  /** A queue also pauses at so many busy devices, if they are more than this share. */
  notificationBusyDevicesMin: 5,
  notificationBusyPercentMax: 50,
  notificationBusyWindowMs: minuteMs,
  /** Busy devices that are cached for one queue. */
  notificationBusyDevicesMax: 500,
  /** The latest answers that make the failure rate of a configuration. */
  notificationAnswersMax: 100,
  /** The share of them, in percent, that may reject addresses or the configuration. */
  notificationSuspectPercentMax: 30,
  /** Such answers at which the queue becomes faulty. */
  notificationSuspectAnswersMin: 10,
  /** Outcomes of notifications in one transaction. */
  notificationSettleMax: 1_000,
  /** How long a provider may take to answer. */
  notificationAttemptMsMax: 30_000,
  /** How long a notification with a Ttl of 0 may be queued before its attempt. */
  notificationOnceMsMax: 10_000,
  /** How long jobs that were read ahead are not compared with the database. */
  notificationReadyMsMax: 1_000,
  /** Attempts of one notification. */
  notificationAttemptsMax: 10,
  /** The wait before the second attempt; each further wait is twice as long. */
  notificationRetryMs: 1_000,
  /** The longest of these waits, unless the provider asks for a longer one. */
  notificationRetryMsMax: 10 * minuteMs,
  /** Retention of notifications and their jobs. */
  notificationHours: 30 * 24,
  /** A request of the legacy REST API: its body, its fields, bindings on its page. */
  notificationRestBytesMax: mib,
  notificationRestFieldsMax: 10_100,
  notificationRestPageMax: 1_000,
  /** Requests of one account in flight in a process, and its wrong tokens from one address. */
  notificationRestRunsMax: 100,
  notificationRestFailuresPerMinuteMax: 30,
  /** Addresses without a binding in one notification. */
  notificationDirectMax: 10_000,
  /** Configurations of one AccountSid whose tokens are compared. */
  notificationAccountHoldersMax: 10_000,
  /** An import of bindings: rows in one transaction, one row, one line, one page. */
  notificationImportBatchMax: 500,
  notificationImportRowCharsMax: 64 * kib,
  notificationImportLineCharsMax: 4 * mib,
  notificationImportPageBytesMax: 4 * mib,
  /** Attempts to fetch a page, and the timeout of each. */
  notificationImportTriesMax: 5,
  notificationImportCallMsMax: minuteMs,
  /** A receipt; the most that its time may differ from ours; receipts in flight. */
  notificationReceiptBytesMax: 64 * kib,
  notificationReceiptSkewS: 300,
  notificationReceiptsMax: 200,
  /** Lookups of a receipt that may have overtaken its message, and the pause between them. */
  notificationReceiptTriesMax: 20,
  notificationReceiptPauseMs: 200,

  /** How long a connection to the database may take to open or to close. */
  databaseConnectMsMax: 10_000,
  /** How long a statement waits for a connection that is free. */
  databaseWaitMsMax: 20_000,
  /** How often connections that await an answer of the database are looked at. */
  databaseCheckMs: 5_000,
  /** How often a connection that only waits for news sends a statement. */
  databaseHeartbeatMs: 15_000,
  /** How long a process whose connection ended may still count as one that uses the tables. */
  databaseReleaseMsMax: 5_000,
  /** How long a start waits for another process that changes the tables. */
  migrationMsMax: hourMs,
  /** How long the embedded engine may take to come up; it repeats its log after a power cut. */
  engineStartMsMax: 10 * minuteMs,
  /** How long the embedded engine may take to write everything down when it ends. */
  engineStopMsMax: minuteMs,
  /** How long the embedded engine may take to answer a command that looks for it. */
  engineConnectMsMax: 5_000,
  /** The pause before another try to start an embedded engine that fell. */
  engineRetryMs: 1_000,
  /** How often a start or a stop of the embedded engine is looked at. */
  enginePollMs: 10,
  /** Room on the disk of the embedded engine's data below which it counts as full. */
  diskFreeBytesMin: 32 * mib,
  /** How often `/healthz` looks whether the database takes writes. */
  healthProbeMs: 1_000,
  /** The embedded engine's log is set aside when it is larger than this at a start. */
  engineLogBytesMax: 16 * mib,

  /** Devices of one `device simulate`, each with a connection of its own. */
  simulatedDevicesMax: 5_000,
  /** How long one `device simulate` runs. */
  simulatedSecondsMax: 3_600,
  /** The shortest pause between two writes of a simulated device. */
  simulatedEveryMsMin: 10,
  /** How long a simulated device waits for an answer. */
  simulatedAnswerMsMax: 30_000,

  /** How long a stop waits for what is under way before it cuts. */
  shutdownMsMax: 10 * 1_000,
} as const
