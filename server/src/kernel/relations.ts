import { strict as assert } from 'node:assert'
import { limits } from './limits.ts'

const hourMs = 3_600_000

// Relations between limits: a process whose limits contradict each other does not start.
assert(limits.resourceValueBytesMax < limits.deviceBodyBytesMax, 'a value fits in a body')
assert(limits.logWriters <= limits.logPartitions, 'each writer has a partition')
assert(limits.flushMessagesMax <= limits.pendingMessagesMax, 'a flush drains what may wait')
assert(limits.databaseConnectMsMax < limits.databaseWaitMsMax, 'a wait outlives a connecting')
assert(limits.deviceBodyBytesMax < limits.pendingBytesMax, 'the largest message may wait')
assert(limits.longPollMsMax < limits.deviceIdleMsMax, 'a poll ends before its connection')
assert(limits.vendorConnectMsMax < limits.vendorCallMsMax, 'a vendor has time to answer')
assert(limits.vendorCallsOfConnectorMax < limits.vendorCallsMax, 'no connector takes all')
assert(limits.vendorCallsMax * 2 <= limits.outboundCallsMax, 'vendors leave room for others')
assert(limits.certificateMonthsMax <= limits.authorityMonths, 'an authority outlives its own')
assert(limits.moduleConnectMsMax < limits.moduleCallMsMax, 'a call outlives its connecting')
assert(limits.httpConnectMs <= limits.httpConnectMsMax, 'the usual time is allowed')
assert(limits.httpReceiveMs <= limits.httpReceiveMsMax, 'the usual time is allowed')
assert(limits.httpConnectMsMax <= limits.outboundGuestConnectMsMax, 'a guest may wait so long')
assert(limits.httpRequestsMax < limits.outboundConnectionsMax, 'no request waits for another')
assert(limits.httpRequestsMax < limits.outboundGuestSocketsMax, 'each request has its socket')
assert(
  limits.httpAnswerBytesMax + 2 * limits.headerBytesMax <= limits.scriptValueBytesMax,
  'a script can take the largest answer',
)
assert(limits.jobRenewMs * 2 < limits.jobLeaseMs, 'a lease outlives a renewal that fails')
assert(limits.longPollMsMax < limits.deviceOnlineMs, 'a device in a long poll is online')
assert(limits.resourceValueBytesMax * 2 < limits.stateBytesMax, 'a value can be read')
assert(limits.csvBatchBytesMax < limits.csvRowBytesMax, 'the largest row goes alone')
assert(limits.deviceBodyBytesMax < limits.mqttPublishBytesMax, 'a batch fits in a PUBLISH')
assert(limits.mqttSubscriptionsMax <= limits.mqttTopicsMax, 'one SUBSCRIBE may name them all')
assert(limits.mqttPacketsShare < limits.mqttPacketsPerTurn, 'several connections have a share')
assert(limits.connectorIdentities <= limits.connectorIdentitiesMax, 'the default room is allowed')
assert(limits.registrationsPerMinute <= limits.registrationsPerMinuteMax, 'so is the usual rate')
assert(limits.passwordChecksUnknownMax < limits.passwordChecksMax, 'holders have their share')
assert(limits.pageDefault <= limits.pageMax, 'the default page is a page')
assert(limits.logRetentionHours * hourMs > limits.retentionEveryMs, 'retention looks in time')
assert(limits.upkeepGapHoursMax * 2 < limits.logRetentionHours, 'a small jump leaves half the log')
assert(limits.retentionEveryMs < limits.upkeepSettleHours * hourMs, 'upkeep looks meanwhile')
assert(
  limits.connectorRemovalSettleMs > limits.credentialCacheMs + limits.connectorCacheMs,
  'nobody remembers a deleted connector when its id is free',
)
assert(limits.noteBatchMax <= limits.notesWaitingMax, 'a batch drains what may wait')
assert(limits.contentChunkBytes < limits.contentBytesMax, 'a content has several chunks')
assert(limits.tailPollMs < limits.tailOverlapMs, 'a live view looks back over its last look')
assert(limits.scriptMemoryBytes <= limits.scriptMemoryBytesMax, 'the default memory is allowed')
assert(limits.scriptValueBytesMax * 4 < limits.scriptMemoryBytes, 'a value fits in a machine')
assert(
  limits.endpointBodyBytesMax + 2 * limits.headerBytesMax <= limits.scriptValueBytesMax,
  'an endpoint can take the largest request',
)
assert(
  limits.socketMessageBytesMax + 2 * limits.headerBytesMax <= limits.scriptValueBytesMax,
  'a websocket can take the largest message',
)
assert(limits.socketsOfSolutionMax < limits.socketsMax, 'no solution takes all')
assert(limits.socketWaitingMax < limits.socketFloodMax, 'who floods is slowed before it is closed')
assert(limits.socketLeaseRenewMs * 2 < limits.socketLeaseMs, 'a lease is renewed in time')
assert(limits.socketCloseMs < limits.shutdownMsMax, 'a stop outlives a close')
assert(limits.scriptMemoryBytesMin <= limits.scriptMemoryBytes, 'less memory may be given')
assert(limits.scriptCpuMs <= limits.scriptCpuMsMax, 'the default CPU is allowed')
assert(limits.scriptWallMs <= limits.scriptWallMsMax, 'the default time is allowed')
assert(limits.scriptSourceBytesMax <= limits.solutionSourceBytesMax, 'the largest script fits')
assert(limits.solutionSourceBytesMax * 2 < limits.solutionPushBytesMax, 'a solution fits in a push')
assert(limits.notificationSettleMax <= limits.notificationUnsettledMax, 'outcomes fit in a batch')
assert(limits.notificationRunsMax <= limits.notificationUnsettledMax, 'all may be under way')
assert(limits.notificationRunsOfQueueMax < limits.notificationRunsMax, 'no channel takes all')
assert(limits.notificationRunsMax < limits.outboundCallsMax, 'notifications leave room for others')
assert(limits.notificationSuspectAnswersMin <= limits.notificationAnswersMax, 'a fault can be told')
