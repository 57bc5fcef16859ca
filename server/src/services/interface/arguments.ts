import { choiceField, type Fields, invalidField, limits, objectField } from '../../kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { type Mode, modes } from './definition/definition.ts'
import { isPresent, matching } from './fields.ts'
import { isMap } from './schema/check.ts'

const event = /^[a-zA-Z][a-zA-Z0-9_]+$/
const target = /^[a-z0-9-]+$/
const solutionId = /^[a-z0-9]+$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export type Trigger = {
  readonly event: string
  /** Undefined if the caller gave none. */
  readonly mode: Mode | undefined
  readonly data: ScriptValue
}

/** @throws Fault invalid_argument, naming the argument */
export function parseTrigger(args: ScriptValue): Trigger {
  return triggerOf(argumentsOf(args, ['event', 'mode', 'data']))
}

/** @throws Fault invalid_argument, naming the argument */
export function parseTriggerOne(args: ScriptValue): Trigger & { readonly target: string } {
  const fields = argumentsOf(args, ['target', 'event', 'mode', 'data'])
  return { target: short('target', fields.target, target), ...triggerOf(fields) }
}

/** @throws Fault invalid_argument, naming the argument */
export function parseGetSubscriber(args: ScriptValue): string {
  return subscriberOf(argumentsOf(args, ['subscriber_id']))
}

export type SubscribersQuery = {
  readonly parameters: Fields
  readonly offset: number
  readonly limit: number
}

/** @throws Fault invalid_argument, naming the argument */
export function parseListSubscribers(args: ScriptValue): SubscribersQuery {
  const fields = argumentsOf(args, ['parameters', 'offset', 'limit'])
  const { parameters, offset = 0, limit = limits.subscribersPageDefault } = fields
  return {
    parameters: mapOf('parameters', parameters) ?? {},
    offset: wholeOf('offset', offset, 0, limits.subscribersMax),
    limit: wholeOf('limit', limit, 1, limits.subscribersPageMax),
  }
}

export type SubscriberChange = {
  readonly subscriberId: string
  readonly quota: Fields | undefined
  readonly parameters: Fields | undefined
}

/** @throws Fault invalid_argument, naming the argument */
export function parseSetSubscriber(args: ScriptValue): SubscriberChange {
  const fields = argumentsOf(args, ['subscriber_id', 'quota', 'parameters'])
  return {
    subscriberId: subscriberOf(fields),
    quota: mapOf('quota', fields.quota),
    parameters: mapOf('parameters', fields.parameters),
  }
}

/** True for the id of a subscription, false for that of a solution. */
export function isSubscriptionId(text: string): boolean {
  return uuid.test(text)
}

/** Returns the arguments without those that are nil or null. */
function argumentsOf(args: ScriptValue, known: readonly string[]): Fields {
  const isNothing = args === undefined || args === null || (Array.isArray(args) && !args.length)
  const fields = objectField('arguments', isNothing ? {} : args, known)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isPresent(value)))
}

function triggerOf(fields: Fields): Trigger {
  return {
    event: short('event', fields.event, event),
    mode: fields.mode === undefined ? undefined : choiceField('mode', fields.mode, modes),
    data: fields.data as ScriptValue,
  }
}

/**
 * The spec's pattern fits ids of new solutions; older ones may begin with a digit, or have one
 * character. A subscription's id, a uuid, is accepted, too.
 */
function subscriberOf({ subscriber_id: id }: Fields): string {
  if (typeof id === 'string' && isSubscriptionId(id)) return id
  return short('subscriber_id', id, solutionId)
}

function short(name: string, value: unknown, pattern: RegExp): string {
  if (value === undefined) throw invalidField(name, 'must be given')
  if (typeof value === 'string' && value.length > limits.nameCharsMax) {
    throw invalidField(name, `must have at most ${limits.nameCharsMax} characters`)
  }
  return matching(name, value, pattern)
}

/** An empty table of Lua may come as an array. */
function mapOf(name: string, value: unknown): Fields | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value) && value.length === 0) return {}
  if (isMap(value as ScriptValue)) return value as Fields
  throw invalidField(name, 'must be an object')
}

function wholeOf(name: string, value: unknown, min: number, max: number): number {
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) {
    return Number(value)
  }
  throw invalidField(name, `must be a whole number from ${min} to ${max}`)
}
