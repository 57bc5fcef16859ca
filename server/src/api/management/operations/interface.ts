import { AnyValue, StrictObject, Type } from '../../../foundation/kernel/index.ts'
import {
  createSubscriberSchema,
  interfaceOperations,
} from '../../../scripts/services/interface/index.ts'
import { solutionArguments } from '../calls.ts'
import { json, OwnAnswer, PathText, shows } from '../contract/common.ts'
import { operations } from '../operation.ts'

const setup = operations('interface', 'Setup', '/api:1/solution/:solution/subscribers', {
  everyProcess: true,
  params: { solution: PathText('The id of an exposed solution.') },
})
const changes = operations('interface', 'Asset Management', '/api:1/solution', {
  everyProcess: true,
  params: { solution: PathText('The id or the script key of an exposed solution.') },
})

export const listSubscribers = setup.get(
  '',
  'List the subscribers of an exposed solution, oldest first.',
  () => {
    const { offset, limit } = interfaceOperations.schemas.listSubscribers.args.properties
    return {
      query: StrictObject({ offset: Type.Optional(offset), limit: Type.Optional(limit) }),
      ...shows(
        'A page.',
        StrictObject({
          items: Type.Array(createSubscriberSchema()),
          total: Type.Integer({ description: 'The number of all subscribers.' }),
        }),
      ),
    }
  },
  ({ interfaces: { subscribers } }, call) =>
    subscribers.list(...solutionArguments(call), call.query),
)

export const getSubscriber = setup.get(
  '/:subscriber',
  'Show a subscriber of an exposed solution.',
  () => shows('The subscriber.', createSubscriberSchema()),
  ({ interfaces: { subscribers } }, call) =>
    subscribers.get(...solutionArguments(call), call.params.subscriber),
)

export const updateSubscriber = setup.patch(
  '/:subscriber',
  'Change the quota or the parameters of a subscriber.',
  () => {
    const { quota, parameters } = interfaceOperations.schemas.setSubscriber.args.properties
    return {
      body: StrictObject({ quota, parameters }),
      ...shows('The subscriber.', createSubscriberSchema()),
      example: { request: { quota: { calls_daily: 1_000, calls_monthly: null } } },
    }
  },
  ({ interfaces: { subscribers } }, call) =>
    subscribers.set(...solutionArguments(call), call.params.subscriber, call.body),
)

export const callOperation = changes.post(
  '/:solution/interface/:operation',
  'Call an operation of an exposed solution.',
  () => ({
    description:
      'An error has the status and the body that a script would have: `{type, error, status}`. ' +
      'Refused to users and API tokens of some groups: scripts act for the whole business.',
    query: StrictObject({
      subscriber: Type.Optional(
        Type.String({
          description: 'The subscription that calls: its id, or that of its solution.',
        }),
      ),
    }),
    body: Type.Optional(AnyValue<unknown>({ description: 'The arguments.' })),
    answers: {
      200: json('The result.', AnyValue<unknown>()),
      204: { description: 'There is no result.' },
    },
    anyAnswer: true,
    example: { request: { minutes: 5 } },
  }),
  async ({ interfaces: { externalCalls } }, { view, params, query, body }) => {
    const asked = { view, ...params, args: body, subscriber: query.subscriber }
    const { status, value } = await externalCalls.call(asked)
    return new OwnAnswer(value === undefined ? 204 : status, value)
  },
)
