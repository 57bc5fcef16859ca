import { strict as assert } from 'node:assert'
import { type LimitName, type LimitValues, limits } from '../limits.ts'
import { formatLimit } from './units.ts'

type Term = { readonly times: number; readonly name: LimitName }

type Side = LimitName | Term | readonly (LimitName | Term)[]

/** The left side is below the right one, or at most as large. */
type Relation = {
  readonly left: readonly Term[]
  readonly mayEqual: boolean
  readonly right: readonly Term[]
  readonly why: string
}

function below(left: Side, right: Side, why: string): Relation {
  return { left: toTerms(left), mayEqual: false, right: toTerms(right), why }
}

function atMost(left: Side, right: Side, why: string): Relation {
  return { left: toTerms(left), mayEqual: true, right: toTerms(right), why }
}

function times(factor: number, name: LimitName): Term {
  return { times: factor, name }
}

function toTerms(side: Side): readonly Term[] {
  const terms = typeof side === 'string' || 'name' in side ? [side] : side
  return terms.map((term) => (typeof term === 'string' ? times(1, term) : term))
}

const hourS = 3_600
const hourMs = hourS * 1_000

/** Relations between limits: a process whose limits contradict each other does not start. */
const relations: readonly Relation[] = [
  below('resourceValueBytesMax', 'deviceBodyBytesMax', 'a value fits in a body'),
  atMost('logWriters', 'logPartitions', 'each writer has a partition'),
  atMost('flushMessagesMax', 'pendingMessagesMax', 'a flush drains the queue'),
  below('databaseConnectMsMax', 'databaseWaitMsMax', 'a wait outlives a connecting'),
  below('deviceBodyBytesMax', 'pendingBytesMax', 'the largest message may wait'),
  below('longPollMsMax', 'deviceIdleMsMax', 'a poll ends before its connection'),
  below('vendorConnectMsMax', 'vendorCallMsMax', 'a vendor has time to answer'),
  below('vendorCallsOfConnectorMax', 'vendorCallsMax', 'no connector takes all'),
  atMost(times(2, 'vendorCallsMax'), 'outboundCallsMax', 'vendors leave room for others'),
  atMost('certificateMonthsMax', 'authorityMonths', 'an authority outlives its own'),
  below('moduleConnectMsMax', 'moduleCallMsMax', 'a call outlives its connecting'),
  atMost('moduleInlineMsLeast', 'moduleCallMsMax', 'what is late may still be answered'),
  atMost('moduleInlineRestMs', 'moduleInlineRestMsMax', 'the first rest is the shortest'),
  atMost('moduleHistoryValues', 'moduleHistoryValuesMax', 'the default is allowed'),
  atMost('moduleHistoryValuesMax', 'historyValuesMax', 'a history returns so many'),
  below('moduleCallsMax', 'outboundCallsMax', 'modules leave room for others'),
  below('moduleRequestsWaitingMax', 'moduleCallsWaitingMax', 'runs may wait beside requests'),
  below('moduleCallsOfModuleMax', 'moduleCallsOfBusinessMax', 'no module takes all'),
  below('moduleCallsOfBusinessMax', 'functionRunsMax', 'a module that hangs leaves runs to others'),
  atMost('functionRunsMax', 'functionRunsClaimMax', 'what may run is claimed'),
  atMost('httpConnectMs', 'httpConnectMsMax', 'the default time is allowed'),
  atMost('httpReceiveMs', 'httpReceiveMsMax', 'the default time is allowed'),
  atMost('httpConnectMsMax', 'outboundGuestConnectMsMax', 'a guest may wait so long'),
  below('httpRequestsMax', 'outboundConnectionsMax', 'no request waits for another'),
  below('httpRequestsMax', 'outboundGuestSocketsMax', 'each request has its socket'),
  atMost(
    ['httpAnswerBytesMax', times(2, 'headerBytesMax')],
    'scriptValueBytesMax',
    'a script can take the largest answer',
  ),
  below('longPollMsMax', 'deviceOnlineMs', 'a device in a long poll is online'),
  below(times(2, 'resourceValueBytesMax'), 'stateBytesMax', 'a value can be read'),
  below('csvBatchBytesMax', 'csvRowBytesMax', 'the largest row goes alone'),
  below('deviceBodyBytesMax', 'mqttPublishBytesMax', 'a batch fits in a PUBLISH'),
  atMost('mqttSubscriptionsMax', 'mqttTopicsMax', 'one SUBSCRIBE may name them all'),
  below('mqttPacketsShare', 'mqttPacketsPerTurn', 'several connections have a share'),
  atMost('connectorIdentities', 'connectorIdentitiesMax', 'the default number is allowed'),
  atMost('registrationsPerMinute', 'registrationsPerMinuteMax', 'the default rate is allowed'),
  below('passwordChecksUnknownMax', 'passwordChecksMax', 'known accounts have their share'),
  atMost('lockoutMs', 'lockoutMsMax', 'the first lock is the shortest'),
  below('lockoutMsMax', 'lockoutForgottenMs', 'a lock ends before its failures are forgotten'),
  atMost('pageDefault', 'pageMax', 'the default page is a page'),
  atMost('graphqlSubscriptionsOfHolderMax', 'graphqlSubscriptionsMax', 'a holder may have some'),
  below(
    'graphqlSubscriptionRereadEvents',
    'graphqlSubscriptionReadMax',
    'a look reads more than it read before',
  ),
  atMost('graphqlMsMax', 'graphqlWindowRequestsMs', 'the longest request fits in a window'),
  below('retentionEveryMs', times(hourMs, 'logRetentionHours'), 'retention runs in time'),
  below(times(2, 'upkeepGapHoursMax'), 'logRetentionHours', 'a small jump leaves half the log'),
  below('retentionEveryMs', times(hourMs, 'upkeepSettleHours'), 'retention runs meanwhile'),
  below(
    ['credentialCacheMs', 'connectorCacheMs'],
    'connectorRemovalSettleMs',
    'no process caches a deleted connector when its id is free',
  ),
  below('credentialCacheMs', 'credentialCachePublishedMs', 'published changes allow more'),
  below('revocationPollMs', 'revocationReadMs', 'a poll in time keeps cached credentials'),
  below('revocationReadMs', 'revocationKeptMs', 'no revocation is deleted unread'),
  atMost('lineBatchMax', 'linesWaitingMax', 'a batch drains the queue'),
  below('contentChunkBytes', 'contentBytesMax', 'a content has several chunks'),
  below(
    'tailPollMs',
    'tailOverlapMs',
    'a live view reads again what its last poll may have missed',
  ),
  atMost('scriptMemoryBytes', 'scriptMemoryBytesMax', 'the default memory is allowed'),
  below(times(4, 'scriptValueBytesMax'), 'scriptMemoryBytes', 'a value fits in a machine'),
  atMost(
    ['endpointBodyBytesMax', times(2, 'headerBytesMax')],
    'scriptValueBytesMax',
    'an endpoint can take the largest request',
  ),
  atMost(
    ['socketMessageBytesMax', times(2, 'headerBytesMax')],
    'scriptValueBytesMax',
    'a websocket can take the largest message',
  ),
  below('socketsOfSolutionMax', 'socketsMax', 'no solution takes all'),
  below('socketWaitingMax', 'socketFloodMax', 'a flood is slowed before it is closed'),
  below(times(2, 'socketLeaseRenewMs'), 'socketLeaseMs', 'a lease is renewed in time'),
  below('socketCloseMs', 'shutdownMsMax', 'a stop outlives a close'),
  atMost('scriptMemoryBytesMin', 'scriptMemoryBytes', 'less memory may be given'),
  atMost('scriptCpuMs', 'scriptCpuMsMax', 'the default CPU is allowed'),
  atMost('scriptWallMs', 'scriptWallMsMax', 'the default time is allowed'),
  atMost('scriptSourceBytesMax', 'solutionSourceBytesMax', 'the largest script fits'),
  below(times(2, 'solutionSourceBytesMax'), 'solutionPushBytesMax', 'a solution fits in a push'),
  atMost('solutionTestRunsOfBusinessMax', 'solutionTestRunsMax', 'a business may run tests'),
  atMost('notificationSettleMax', 'notificationUnsettledMax', 'outcomes fit in a batch'),
  atMost('notificationRunsMax', 'notificationUnsettledMax', 'all may be in flight'),
  below('notificationRunsOfQueueMax', 'notificationRunsMax', 'no channel takes all'),
  below('notificationRunsMax', 'outboundCallsMax', 'notifications leave room for others'),
  atMost('notificationSuspectAnswersMin', 'notificationAnswersMax', 'a fault can be found'),
  below(times(2, 'partitionLeaseRenewMs'), 'partitionLeaseMs', 'a lease is renewed in time'),
  below(times(2, 'processRenewMs'), 'processSeenMs', 'a process that runs is seen'),
  below(times(2, 'jobRenewMs'), 'jobLeaseMs', 'a lease outlives a renewal that fails'),
  below(times(2, 'deliveryRenewMs'), 'deliveryLeaseMs', 'a lease is renewed in time'),
  atMost('scriptQuarantineMs', 'scriptQuarantineMsMax', 'the first quarantine is not the longest'),
  atMost('scriptCrashBackoffMs', 'scriptCrashBackoffMsMax', 'the first backoff is not the longest'),
  atMost('notificationRetryMs', 'notificationRetryMsMax', 'the first wait is not the longest'),
  atMost('tsdbRows', 'tsdbRowsMax', 'the default answer is allowed'),
  atMost('certificateMonthsDefault', 'certificateMonthsMax', 'the default validity is allowed'),
  atMost('activationBatchMax', 'activationsWaitingMax', 'a batch drains the queue'),
  atMost('presenceBatchMax', 'presenceNotesMax', 'a batch drains the queue'),
  atMost('keystoreBatchMax', 'keystoreWaitingMax', 'a batch drains the queue'),
  atMost('tsdbBatchMax', 'tsdbWaitingMax', 'a batch drains the queue'),
  atMost('keystoreValueBytesMax', 'scriptValueBytesMax', 'a script can write the largest value'),
  atMost('timerMessageBytesMax', 'scriptValueBytesMax', 'a script receives the largest message'),
  below(
    'configurationBytesMax',
    'managementBodyBytesMax',
    'the largest configuration fits in a body',
  ),
  atMost(times(2, 'scriptsMax'), 'scriptChecksWaitingMax', 'two pushes of a solution may wait'),
  atMost('scriptMemoryBytesMax', 'scriptMachinesBytesMax', 'the largest machine fits in a worker'),
  atMost(
    'socketUnreadBytesMax',
    'socketsUnreadOfSolutionBytesMax',
    'a solution holds what one client leaves',
  ),
  atMost(
    'socketsUnreadOfSolutionBytesMax',
    'socketsUnreadBytesMax',
    'a process holds what one solution holds',
  ),
  below(
    'notificationTtlSMax',
    times(hourS, 'notificationHours'),
    'a notification is kept while it may wait',
  ),
  below(
    ['logWriters', 'activationsBlockedMax'],
    'databaseConnectionsMax',
    'other statements have a connection',
  ),
]

/** A sentence for each relation that does not hold if `changes` are applied. */
export function brokenRelations(changes: LimitValues): string[] {
  const valueNow = (name: LimitName) => changes[name] ?? limits[name]
  const sum = (terms: readonly Term[]) =>
    terms.reduce((total, term) => total + term.times * valueNow(term.name), 0)
  return relations
    .filter(({ left, mayEqual, right }) =>
      mayEqual ? sum(left) > sum(right) : sum(left) >= sum(right),
    )
    .map((relation) =>
      formatRelation(relation, (name) => `${name} (${formatLimit(name, valueNow(name))})`),
    )
}

/** All relations as sentences. */
export function relationSentences(): string[] {
  return relations.map((relation) => `${formatRelation(relation, (name) => `\`${name}\``)}.`)
}

function formatRelation(relation: Relation, wordOf: (name: LimitName) => string): string {
  const { left, mayEqual, right, why } = relation
  const words = (terms: readonly Term[]) =>
    terms.map((term) => `${formatFactor(term)}${wordOf(term.name)}`).join(' + ')
  const must = mayEqual ? 'must be at most' : 'must be below'
  return `${words(left)} ${must} ${words(right)}: ${why}`
}

/** Hours that are compared with milliseconds or seconds have a factor that the units show. */
function formatFactor({ times: factor }: Term): string {
  return factor === 1 || factor === hourMs || factor === hourS ? '' : `${factor} × `
}

assert.deepEqual(brokenRelations({}), [])
