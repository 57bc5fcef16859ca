import { type FailureStage, failureStages } from '../../../failures/index.ts'
import {
  AnyValue,
  limits,
  Nullable,
  type Static,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import {
  component,
  json,
  Microseconds,
  nothing,
  OptionalMicroseconds,
  PageSize,
  PathText,
  pageEnd,
} from '../common.ts'
import { contract } from '../contract.ts'

const stage = (description: string) =>
  Type.Unsafe<FailureStage>({ enum: failureStages, description })

const about = (description: string) => Type.Optional(Type.String({ description }))

const stageFailureSchema = component(
  'StageFailure',
  {
    stage: stage('The stage, as the ledger names it.'),
    id: Type.String({ description: 'Its id in its stage.' }),
    about: StrictObject({
      connector: about('The id of the connector.'),
      device: about('The identity of the device.'),
      asset: about('The id of the asset.'),
      link: about('The id of the link whose function was called.'),
      link_name: about('The name of the link.'),
      solution: about('The id of the solution.'),
      service: about('The script key of the service.'),
      event: about('The event of the service.'),
      notification: about('The sid of the notification.'),
      channel: about('The channel of the notification.'),
      address: about('The address of the binding.'),
    }),
    code: Nullable(Type.String(), { description: 'A code of an error, where one is known.' }),
    reason: Type.String(),
    input: AnyValue<unknown>({
      description: 'What it failed with; null if that is not kept any more.',
    }),
    final: Nullable(Type.String(), {
      description: 'Why it cannot be sent again; null if it can.',
    }),
    tries: Type.Integer(),
    tracking_id: Nullable(Type.String(), { description: 'The id of the call in logs.' }),
    created_at: OptionalMicroseconds('When it came, in microseconds.'),
    failed_at: Microseconds('When it failed for the last time, in microseconds.'),
  },
  { description: 'What failed at a stage.' },
)

export type StageFailureBody = Static<typeof stageFailureSchema>

const failureParams = StrictObject({
  stage: stage('The stage.'),
  id: PathText('The id of a failure in its stage.'),
})

const ofStage = StrictObject({ stage: stage('The stage.') })

/** `<microseconds>.<id>` */
export const stageKeyPattern = /^(\d{1,16})\.([a-z0-9-]{1,64})$/

const path = '/api:1/failures'
const common = { permission: 'Setup', tag: 'ledger' } as const

export const listStageFailures = contract(
  {
    ...common,
    id: 'listStageFailures',
    method: 'GET',
    path,
    summary: 'List what failed at every stage, newest first.',
  },
  () => ({
    query: StrictObject({
      stage: Type.Optional(stage('Only those of this stage.')),
      limit: PageSize(limits.pageMax),
      before: Type.Optional(
        Type.Refine(
          Type.String({ description: 'The `before` of a page.' }),
          (text) => stageKeyPattern.test(text),
          () => 'must be what a page before gave',
        ),
      ),
    }),
    answers: {
      200: json(
        'A page.',
        StrictObject({
          failures: Type.Array(stageFailureSchema),
          ...pageEnd,
        }),
      ),
    },
  }),
)

const counted = (name: string) => Type.Integer({ description: `Of the stage ${name}.` })

export const countStageFailures = contract(
  {
    ...common,
    id: 'countStageFailures',
    method: 'GET',
    path: `${path}/count`,
    summary: 'Count what failed at each stage and was neither sent again nor discarded.',
    description: 'It reads no inputs, and of each stage no more than `most`.',
  },
  () => ({
    answers: {
      200: json(
        'The counts.',
        component('StageFailureCounts', {
          stages: StrictObject({
            values: counted('values'),
            functions: counted('functions'),
            scripts: counted('scripts'),
            'functions.calls': counted('functions.calls'),
            deliveries: counted('deliveries'),
            notifications: counted('notifications'),
          }),
          most: Type.Integer({
            description: 'A stage with this count may have more (`failuresCountedMax`).',
          }),
        }),
      ),
    },
  }),
)

export const getStageFailure = contract(
  {
    ...common,
    id: 'getStageFailure',
    method: 'GET',
    path: `${path}/:stage/:id`,
    summary: 'Show what failed, with its input.',
  },
  () => ({ params: failureParams, answers: { 200: json('It.', stageFailureSchema) } }),
)

export const retryStageFailure = contract(
  {
    ...common,
    id: 'retryStageFailure',
    method: 'POST',
    path: `${path}/:stage/:id/retry`,
    summary: 'Send again what failed, as it was or corrected.',
  },
  () => ({
    params: failureParams,
    body: Type.Optional(
      StrictObject({
        input: Type.Optional(
          AnyValue<unknown>({ description: 'In place of the input, in the form of it.' }),
        ),
      }),
    ),
    answers: { 204: nothing('It is durable, and on its way.') },
    refuses: ['invalid_argument', 'value_refused'],
    example: {
      request: {
        input: {
          payload: [{ timestamp: 1_767_225_600_000_000, values: { data_in: '{"001":21}' } }],
        },
      },
    },
  }),
)

export const retryStageFailures = contract(
  {
    ...common,
    id: 'retryStageFailures',
    method: 'POST',
    path: `${path}/:stage/retry`,
    summary: 'Send again all that failed at a stage, in the order in which they failed.',
  },
  () => ({
    params: ofStage,
    answers: { 200: json('How many.', StrictObject({ retried: Type.Integer() })) },
  }),
)

export const discardStageFailure = contract(
  {
    ...common,
    id: 'discardStageFailure',
    method: 'DELETE',
    path: `${path}/:stage/:id`,
    summary: 'Discard what failed.',
  },
  () => ({ params: failureParams, answers: { 204: nothing('It is discarded.') } }),
)

export const discardStageFailures = contract(
  {
    ...common,
    id: 'discardStageFailures',
    method: 'DELETE',
    path: `${path}/:stage`,
    summary: 'Discard all that failed at a stage.',
  },
  () => ({
    params: ofStage,
    answers: { 200: json('How many.', StrictObject({ discarded: Type.Integer() })) },
  }),
)
