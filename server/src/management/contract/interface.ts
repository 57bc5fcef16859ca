import { AnyValue, RecordOf, StrictObject, Type } from '../../kernel/index.ts'
import { interfaceOperations } from '../../services/interface/index.ts'
import { component, json, nothing, PathText, solutionParams } from './common.ts'
import { contract } from './contract.ts'

const subscriberParams = StrictObject({
  solution: PathText('The id of an exposed solution.'),
  subscriber: PathText('The id of a subscription, or of the solution that subscribed.'),
})

const createSubscriber = () =>
  component(
    'Subscriber',
    {
      ...interfaceOperations.schemas.getSubscriber.result.properties,
      triggers: RecordOf(AnyValue<unknown>(), { description: 'By event.' }),
      parameters: RecordOf(AnyValue<unknown>(), { description: 'Its settings of the service.' }),
      used: StrictObject(
        { calls_daily: Type.Integer(), calls_monthly: Type.Integer() },
        { description: 'The calls of this day and this month (UTC).' },
      ),
    },
    { description: 'A solution that has this one as a service.' },
  )

const path = '/api:1/solution/:solution/subscribers'

export const listSubscribers = contract(
  {
    id: 'listSubscribers',
    method: 'GET',
    path,
    permission: 'Setup',
    tag: 'interface',
    summary: 'List the subscribers of an exposed solution, oldest first.',
  },
  () => {
    const { offset, limit } = interfaceOperations.schemas.listSubscribers.args.properties
    return {
      params: solutionParams,
      query: StrictObject({ offset: Type.Optional(offset), limit: Type.Optional(limit) }),
      answers: {
        200: json(
          'A page.',
          StrictObject({
            items: Type.Array(createSubscriber()),
            total: Type.Integer({ description: 'The number of all subscribers.' }),
          }),
        ),
      },
    }
  },
)

export const getSubscriber = contract(
  {
    id: 'getSubscriber',
    method: 'GET',
    path: `${path}/:subscriber`,
    permission: 'Setup',
    tag: 'interface',
    summary: 'Show a subscriber of an exposed solution.',
  },
  () => ({
    params: subscriberParams,
    answers: { 200: json('The subscriber.', createSubscriber()) },
  }),
)

export const updateSubscriber = contract(
  {
    id: 'updateSubscriber',
    method: 'PATCH',
    path: `${path}/:subscriber`,
    permission: 'Setup',
    tag: 'interface',
    summary: 'Change the quota or the parameters of a subscriber.',
  },
  () => {
    const { quota, parameters } = interfaceOperations.schemas.setSubscriber.args.properties
    return {
      params: subscriberParams,
      body: StrictObject({ quota, parameters }),
      answers: { 200: json('The subscriber.', createSubscriber()) },
      example: { request: { quota: { calls_daily: 1_000, calls_monthly: null } } },
    }
  },
)

export const callOperation = contract(
  {
    id: 'callOperation',
    method: 'POST',
    path: '/api:1/solution/:solution/interface/:operation',
    // An operation may change something, so the permission to read is not enough.
    permission: 'Asset Management',
    tag: 'interface',
    summary: 'Call an operation of an exposed solution.',
    description:
      'An error has the status and the body that a script would have: `{type, error, status}`. ' +
      'Refused to users and API tokens of some groups: scripts act for the whole business.',
  },
  () => ({
    params: StrictObject({
      solution: PathText('The id or the script key of an exposed solution.'),
      operation: PathText('The name of an operation.'),
    }),
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
      204: nothing('There is no result.'),
    },
    anyAnswer: true,
    example: { request: { minutes: 5 } },
  }),
)
