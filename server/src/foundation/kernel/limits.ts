import { apiLimits } from './limits/api.ts'
import { databaseLimits } from './limits/database.ts'
import { deviceLimits } from './limits/devices.ts'
import { insightLimits } from './limits/insight.ts'
import { guard, type LimitDefinition, standard, stored } from './limits/kinds.ts'
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

  /** Fields of an activation's body, of a download's query or of a provider's receipt. */
  formFieldsMax: guard(100),
  /** A header with a date, a range or a time; a longer one is ignored. */
  shortHeaderCharsMax: guard(128),
  /** Hosts whose server certificates are cached in memory. */
  hostCertificatesMax: 1_000,
  /** The time in which equal warnings and errors of the log are one line, and a count behind it. */
  logWindowMs: 10_000,
  /** Different lines of one message in that time; more are counted only. */
  logLinesOfMessageMax: 20,
  /** Messages that are counted at once. */
  logMessagesMax: 1_000,
  /** Clients that are known at once of one connection of a proxy, and their certificates of all. */
  proxiedClientsMax: 1_000,

  /** Attempts of a transaction that lost a race. */
  transactionTriesMax: 8,
  /** The `Retry-After` of a 503 to a device. */
  retryAfterS: 1,
  /**
   * The longest time for which the answer to a request that changes a solution waits until the
   * other processes use the change, if notifications do not get through. No cache of solutions is
   * used for longer.
   */
  hintReachMs: 1_000,
  /** The longest pause between two attempts of a batch that fails. */
  consumerRetryMsMax: 10_000,
  /** Entries that one step of retention removes. */
  retentionBatchMax: 10_000,
  /** The longest period for which data are set to be kept: ten years. */
  retentionHoursMax: 10 * 366 * 24,

  /** One line of a solution's or an asset's log. The rest is cut. */
  lineCharsMax: 4_000,
  /**
   * The interval at which a live view of a connector's log polls for new lines without a
   * notification.
   */
  tailPollMs: 1_000,
  /** The pause of a live view after it found lines. */
  tailPauseMs: 200,

  /** The time for an upload of a content, or for any request with a body. */
  contentUploadMsMax: hourMs,

  /** A device's identity. */
  identityCharsMax: stored(512),
  /** Tags of one identity, signal or asset. */
  tagsMax: 20,
  /** A revocation list as it is uploaded, PEM or DER: some 30,000 revoked certificates. */
  crlBytesMax: mib,
  /** The longest password of a device. */
  devicePasswordBytesMax: guard(512),
  /** The label of a connector's host, which is its id. */
  hostLabelCharsMax: standard(63),
  /** Labels whose targets a process caches. */
  hostCacheMax: 10_000,
  /** Things of one kind that the preview and the refusal of a deletion name. */
  dependantsNamedMax: 10,
  /** Rows of a deleted business that one transaction removes. */
  businessRemovalBatchMax: 1_000,
  /** A text within settings: a description, a unit, an allowed value, an initial value, a tag. */
  settingCharsMax: guard(1_000),
  /** Current values in one answer: of a device, or of a page of devices. */
  stateBytesMax: 16 * mib,
  /** A device's secret token. */
  tokenChars: stored(40),
  /**
   * The lead that stamps may have over the wall clock after it was set back; a stored stamp that is
   * further ahead counts as made by a wrong clock.
   */
  clockLeadMsMax: 1_000,
  /** The age up to which a verified password is accepted without another run of argon2. */
  passwordCacheMs: 5 * minuteMs,

  /** Characters of a vendor's own message that are repeated. */
  vendorSentenceCharsMax: 300,

  /** Of these, the checks for unknown e-mail addresses; more wait for one to end. */
  passwordChecksUnknownMax: 2,
  /** Password checks that wait for one to end; past it a sign-in receives 503. */
  passwordChecksWaitingMax: 64,
  /** E-mail addresses whose failed sign-ins, or verified passwords, are cached. */
  signInsRememberedMax: 10_000,
  /** A code of the second step as it is typed. */
  codeCharsMax: guard(64),
  /** The time in which one must come back from a sign-in provider, and the page take a session. */
  oidcSignInMinutes: 10,
  /**
   * The age up to which a cached session or API token is used without a read of the database: a
   * revocation made by another process holds after this even if its hint got lost; one made by this
   * process, at once.
   */
  accountCacheMs: 800,
  /** Sessions and API tokens that are cached, of each. */
  accountCacheMax: 10_000,
  /** An e-mail address. */
  emailCharsMax: standard(254),
  /** Recipients of one mail. */
  mailRecipientsMax: 50,

  /** The depth of nested JSON: deeper values could not be written again. */
  jsonDepthMax: guard(200),
  /** Values in one text of JSON; scripts have a limit of their own. Texts may be twice as many. */
  jsonValuesMax: guard(20_000),
  /** Characters of a large text of JSON that are read in one turn of the event loop. */
  jsonPartCharsMax: 512 * kib,
  /** Fields of one object in such a text. */
  jsonFieldsMax: guard(5_000),
  /** Fields of a file whose values are refused, each with a sentence of its own. */
  refusedFieldsNotedMax: 100,
  /** Hours of the ledger in one answer. */
  ledgerHoursMax: 1_000,
  /** Failures of one stage that a count of them reads; there may be more. */
  failuresCountedMax: 10_000,
  /** Rows of a list whose length is not set. */
  pageDefault: 100,

  /** A GraphQL document with its variables. */
  graphqlBodyBytesMax: 256 * kib,

  /** A name of an account, a group, an asset or any other object. */
  nameCharsMax: guard(200),
  /** A description of any object. */
  descriptionCharsMax: guard(4_000),
  /** The bytes of a file of a work instruction that is uploaded; past it 413 `too_large`. */
  workInstructionFileBytesMax: 64 * mib,
  /** Sentences about one invalid `config_io`. */
  complaintsMax: 100,

  /**
   * The body of the answer to a script's HTTP request, as it comes over the wire and decompressed.
   * It leaves room for the headers below `scriptValueBytesMax`.
   */
  httpAnswerBytesMax: 960 * kib,
  /** The `credentials` of an HTTP request or of the configuration. */
  httpCredentialsCharsMax: guard(16 * kib),

  /**
   * Calls in flight at once that requests of one business make: to add a module, list its functions
   * or link one.
   */
  moduleRequestsOfBusinessMax: 16,
  /** The same of one URL. */
  moduleRequestsOfUrlMax: 8,
  /** The same that wait, of one business. Past it a request receives 503. */
  moduleRequestsWaitingMax: 64,
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
  /** Characters of a module's own message that are repeated in a log or an answer. */
  moduleSentenceCharsMax: 300,
  /** Links in one asset's pipelines. */
  linksPerAssetMax: 100,

  /** Values in one argument or result, those inside tables counted. */
  scriptValueNodesMax: guard(50_000),
  /** The depth of nested tables in one argument or result. */
  scriptValueDepthMax: guard(64),
  /** The depth of solutions that call one another. */
  scriptDepthMax: 8,
  /** The bytes of the value of one variable of a solution. */
  environmentValueBytesMax: 8 * kib,
  /** The interval at which the jobs of a tenant that wait are counted, at most. */
  jobCountMs: 250,
  /** The time for which a process that closes waits for jobs that run. */
  jobCloseMs: 1_000,
  /** The interval at which a process polls for deliveries that wait. */
  deliveryPollMs: 250,
  /** Requests that a `--#RATELIMIT` may allow. */
  endpointRateMax: 1_000_000,

  /** The text of one pattern of a payload schema. */
  payloadPatternCharsMax: guard(256),
  /** States of the machine into which a pattern of a payload schema is compiled. */
  payloadPatternStatesMax: guard(500),

  /** Events of one exposed solution. */
  interfaceEventsMax: 100,
  /** Tags of one exposed solution. */
  interfaceTagsMax: guard(10),
  /** One tag of an exposed solution. */
  interfaceTagCharsMax: guard(20),

  /** Scripts of one solution. */
  scriptsMax: 500,
  /** The name of a script, and of its file. */
  scriptNameCharsMax: guard(200),
  /** Services of one solution. */
  configurationsMax: 100,

  /** The bytes of one content of a solution; past it 413 `too_large`. */
  solutionContentFileBytesMax: 128 * mib,
  /** Expired keys that one step of the keystore's sweep removes; it goes on until none is left. */
  keystoreSweepRowsMax: 1_000,

  /**
   * Calls of one solution that wait; past it `scripts.trigger` adds none, and scripts receive 503
   * `overloaded`.
   */
  triggeredWaitingMax: 10_000,
  /** The answer of a collector: an object of few fields, or a sentence about an error. */
  traceAnswerBytesMax: guard(64 * kib),
  /** The time for sending them. */
  traceSendMsMax: 10_000,
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
