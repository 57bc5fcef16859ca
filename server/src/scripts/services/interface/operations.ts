import {
  AnyValue,
  defineOperations,
  limits,
  RecordOf,
  type Static,
  StrictObject,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { modes } from './definition/definition.ts'
import { interfaceLimits } from './limits.ts'
import { createQuotaSchema } from './quotas/quota.ts'

/** Subscribers that `listSubscribers` lists if nothing is set. */
const subscribersPageDefault = 20
/** Subscribers that one answer lists. */
const subscribersPageMax = 100

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const solutionId = /^[a-z0-9]+$/

/** True for the id of a subscription, false for that of a solution. */
export function isSubscriptionId(text: string): boolean {
  return uuid.test(text)
}

function matching(pattern: RegExp, description: string) {
  return Type.String({
    description,
    pattern: pattern.source,
    maxLength: limits.nameCharsMax,
  })
}

/**
 * The spec's pattern fits ids of new solutions; older ones may begin with a digit, or have one
 * character. A subscription's id, a uuid, is accepted, too.
 */
const subscriber_id = Type.Refine(
  Type.String({
    description: 'The id of the subscription, or of the solution that subscribed.',
    maxLength: limits.nameCharsMax,
  }),
  (id) => isSubscriptionId(id) || solutionId.test(id),
  () => `must match ${solutionId.source}`,
)

type Fields = { readonly [name: string]: ScriptValue }

function fields(description: string) {
  return Type.Unsafe<Fields>(RecordOf(AnyValue<ScriptValue>(), { description }))
}

const quotaFields = {
  calls_daily: Type.Optional(Type.Integer()),
  calls_monthly: Type.Optional(Type.Integer()),
}

const subscription = StrictObject({
  id: Type.String(),
  solution_id: Type.String({ description: 'The solution that subscribed.' }),
  quota: StrictObject(quotaFields, { description: 'The most calls; absent is no limit.' }),
  triggers: fields('By event.'),
  parameters: fields('Its settings of the service.'),
  created_at: Type.String({ description: 'ISO 8601.' }),
  updated_at: Type.String({ description: 'ISO 8601.' }),
})

const triggerFields = {
  event: matching(/^[a-zA-Z][a-zA-Z0-9_]+$/, 'The name of the event.'),
  mode: Type.Optional(
    Type.Enum([...modes], { description: 'That of the service if it is left out.' }),
  ),
  data: Type.Optional(AnyValue<ScriptValue>({ description: 'The data of the event.' })),
}

const wording = {
  name: 'arguments',
  objectRule: 'must be an object',
  unknownField: (name: string, place: string) => `${place} has no field ${JSON.stringify(name)}`,
}

export const interfaceOperations = defineOperations(
  () => ({
    getSubscriber: {
      description: 'Reads a subscription.',
      reads: true,
      args: StrictObject({ subscriber_id }),
      result: subscription,
    },
    listSubscribers: {
      description: 'Lists subscriptions, the oldest first.',
      reads: true,
      args: StrictObject({
        parameters: Type.Unsafe<Fields>(
          RecordOf(AnyValue<ScriptValue>(), {
            description: 'Only subscriptions with these parameters.',
            default: {},
          }),
        ),
        offset: Type.Integer({
          description: 'The number of subscriptions to skip.',
          minimum: 0,
          maximum: interfaceLimits.subscribersMax,
          default: 0,
        }),
        limit: Type.Integer({
          description: 'The most subscriptions.',
          minimum: 1,
          maximum: subscribersPageMax,
          default: subscribersPageDefault,
        }),
      }),
      result: StrictObject({
        items: Type.Array(subscription),
        total: Type.Integer({ description: 'The number of all that match.' }),
      }),
    },
    setSubscriber: {
      description: 'Changes a subscription, or all of a solution; a field left out stays.',
      args: StrictObject({
        subscriber_id,
        quota: Type.Optional(createQuotaSchema()),
        parameters: Type.Optional(fields('Changes by name; null removes one.')),
      }),
      result: Type.Undefined({ description: 'nil' }),
    },
    trigger: {
      description: 'Sends an event to all subscribers.',
      args: StrictObject(triggerFields),
      result: Type.Array(
        StrictObject({
          result: Type.Optional(AnyValue<ScriptValue>({ description: 'Of the handler.' })),
          status: Type.Optional(Type.Integer({ description: 'Of the handler; in sync mode.' })),
          instance_id: Type.String({ description: 'The id of the subscription.' }),
          solution_id: Type.String(),
        }),
      ),
    },
    triggerOne: {
      description: 'Sends an event to one subscriber.',
      args: StrictObject({
        target: matching(/^[a-z0-9-]+$/, 'The id of the subscription, or of the subscriber.'),
        ...triggerFields,
      }),
      result: AnyValue<ScriptValue>({
        description: 'the result of the handler; nil in async mode',
      }),
    },
  }),
  wording,
)

type Schemas = typeof interfaceOperations.schemas
export type Trigger = Static<Schemas['trigger']['args']>
export type TriggerOne = Static<Schemas['triggerOne']['args']>
export type SubscribersQuery = Static<Schemas['listSubscribers']['args']>
export type SubscriberChange = Static<Schemas['setSubscriber']['args']>
