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

const hourMs = 3_600_000

/**
 * Relations between limits that operators set: a process whose limits contradict each other does
 * not start. A limit that depends on a constant has it in its bounds.
 */
const relations: readonly Relation[] = [
  below('resourceValueBytesMax', 'deviceBodyBytesMax', 'a value fits in a body'),
  atMost('flushMessagesMax', 'pendingMessagesMax', 'a flush drains the queue'),
  below('databaseConnectMsMax', 'databaseWaitMsMax', 'a wait outlives a connecting'),
  below('deviceBodyBytesMax', 'pendingBytesMax', 'the largest message may wait'),
  below('longPollMsMax', 'deviceIdleMsMax', 'a poll ends before its connection'),
  below('moduleCallsMax', 'outboundCallsMax', 'modules leave room for others'),
  atMost(
    ['httpAnswerBytesMax', times(2, 'headerBytesMax')],
    'scriptValueBytesMax',
    'a script can take the largest answer',
  ),
  below('deviceBodyBytesMax', 'mqttPublishBytesMax', 'a batch fits in a PUBLISH'),
  atMost('connectorIdentities', 'connectorIdentitiesMax', 'the default number is allowed'),
  atMost('lockoutMs', 'lockoutMsMax', 'the first lock is the shortest'),
  below('lockoutMsMax', 'lockoutForgottenMs', 'a lock ends before its failures are forgotten'),
  atMost('graphqlMsMax', 'graphqlWindowRequestsMs', 'the longest request fits in a window'),
  below('retentionEveryMs', times(hourMs, 'logRetentionHours'), 'retention runs in time'),
  below(times(2, 'upkeepGapHoursMax'), 'logRetentionHours', 'a small jump leaves half the log'),
  below('retentionEveryMs', times(hourMs, 'upkeepSettleHours'), 'retention runs meanwhile'),
  atMost('scriptMemoryBytes', 'scriptMemoryBytesMax', 'the default memory is allowed'),
  below(times(4, 'scriptValueBytesMax'), 'scriptMemoryBytes', 'a value fits in a machine'),
  atMost(
    ['endpointBodyBytesMax', times(2, 'headerBytesMax')],
    'scriptValueBytesMax',
    'an endpoint can take the largest request',
  ),
  atMost('scriptCpuMs', 'scriptCpuMsMax', 'the default CPU is allowed'),
  atMost('scriptWallMs', 'scriptWallMsMax', 'the default time is allowed'),
  atMost('notificationRunsMax', 'notificationUnsettledMax', 'all may be in flight'),
  below('notificationRunsOfQueueMax', 'notificationRunsMax', 'no channel takes all'),
  below('notificationRunsMax', 'outboundCallsMax', 'notifications leave room for others'),
  atMost('scriptMemoryBytesMax', 'scriptMachinesBytesMax', 'the largest machine fits in a worker'),
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

/** Hours that are compared with milliseconds have a factor that the units show. */
function formatFactor({ times: factor }: Term): string {
  return factor === 1 || factor === hourMs ? '' : `${factor} × `
}

assert.deepEqual(brokenRelations({}), [])
