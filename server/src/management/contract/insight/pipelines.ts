import {
  AnyValue,
  limits,
  Nullable,
  RecordOf,
  type Static,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import {
  changedVersion,
  differenceSchema,
  restoredVersion,
  sinceAny,
  sinceBefore,
  versionCompared,
  versionFields,
  versionPage,
} from '../assets/versions.ts'
import { component, json, Microseconds, OptionalMicroseconds, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const inletSchema = StrictObject({
  signalId: Type.Optional(Nullable(Type.String(), { description: 'A signal of the asset.' })),
  link: Type.Optional(
    Nullable(Type.String(), { description: 'Or the `id` or the `ref` of another link.' }),
  ),
  outlet: Type.Optional(
    Nullable(Type.Integer({ minimum: 0 }), { description: 'The outlet of that link, from 0.' }),
  ),
})

const outletSchema = StrictObject({
  signalId: Type.Optional(
    Nullable(Type.String(), { description: 'A signal that nothing feeds; else one is made.' }),
  ),
  name: Type.Optional(Nullable(Type.String(), { description: 'The name of the signal.' })),
})

const checkSchema = StrictObject(
  {
    type: Type.String({ description: '`number`, `boolean`, `string`, `json` or `time`.' }),
    inlet: Type.Optional(Type.Integer({ minimum: 0, description: 'All if it is left out.' })),
    outlet: Type.Optional(Type.Integer({ minimum: 0, description: 'In place of an inlet.' })),
    not: Type.Optional(Type.Boolean({ description: 'Turns it round.' })),
    path: Type.Optional(Type.String({ description: 'Of a JSON value, such as `$.level`.' })),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
    is: Type.Optional(Type.Boolean()),
    contains: Type.Optional(Type.String()),
    equals: Type.Optional(AnyValue<unknown>()),
    days: Type.Optional(Type.Array(Type.String({ description: '`mon` to `sun`.' }))),
    from: Type.Optional(Type.String({ description: '`HH:MM`.' })),
    to: Type.Optional(Type.String({ description: '`HH:MM`.' })),
    timeZone: Type.Optional(Type.String({ description: 'UTC if it is left out.' })),
  },
  { description: 'What must hold of the values of an inlet, or of an outlet.' },
)

/** The fields of a link that a change may leave out. */
export const linkSchema = component(
  'PipelineLink',
  {
    id: Type.Optional(Type.String({ description: 'The link that is changed; else one is made.' })),
    ref: Type.Optional(
      Type.String({ description: 'A name for a new link, for inlets of the same document.' }),
    ),
    moduleId: Type.Optional(Type.String({ description: 'Of a new link; `builtin` is ours.' })),
    functionId: Type.Optional(Type.String({ description: 'Of a new link.' })),
    groupId: Type.Optional(Type.String()),
    type: Type.Optional(Type.String({ description: 'What the function is for. Ignored.' })),
    name: Type.Optional(Type.String()),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether it runs.' })),
    timeoutMs: Type.Optional(
      Nullable(Type.Integer({ minimum: 1 }), {
        description: 'Milliseconds that a call may take; null: as long as the instance lets any.',
      }),
    ),
    constants: Type.Optional(RecordOf(AnyValue<unknown>())),
    checks: Type.Optional(Type.Array(checkSchema)),
    inlets: Type.Optional(Type.Array(inletSchema)),
    outlets: Type.Optional(Type.Array(outletSchema)),
  },
  { description: 'A link of a pipeline. What is left out of one that is there stays as it is.' },
)

const changeSchema = component(
  'PipelineChange',
  {
    links: Type.Array(linkSchema),
    whole: Type.Optional(
      Type.Boolean({ description: 'Whether links that `links` does not name are removed.' }),
    ),
    remove: Type.Optional(
      Type.Array(Type.String(), { description: 'The ids of links to be removed.' }),
    ),
    removeSignals: Type.Optional(
      Type.Boolean({ description: 'Whether the signals of removed links go with them.' }),
    ),
    version: changedVersion,
  },
  { description: "A change of an asset's pipeline." },
)

const pipelineSchema = component(
  'Pipeline',
  {
    asset: Type.String({ description: 'The id of the asset.' }),
    version: Type.Integer({ description: 'From 1; 0 if nothing was saved yet.' }),
    saved_at: OptionalMicroseconds('When it was saved, in microseconds.'),
    saved_by: Nullable(Type.String(), { description: 'A user or a token.' }),
    links: Type.Array(linkSchema),
  },
  { description: 'All links of an asset, in the form in which they are saved.' },
)

export type PipelineBody = Static<typeof pipelineSchema>

const difference = differenceSchema('By the ids of links.')

const version = component('PipelineVersion', {
  ...versionFields,
  difference: sinceBefore(difference),
})

const comparedVersion = component('ComparedPipelineVersion', {
  ...versionFields,
  links: Type.Array(linkSchema),
  difference: sinceAny(difference),
})

export type PipelineVersionBody = Static<typeof comparedVersion>

const assetParams = StrictObject({ asset: PathText('The id of an asset.') })
const path = '/api:1/pipelines'
const common = { permission: 'Asset Management', tag: 'modules' } as const

export const listPipelines = contract(
  {
    ...common,
    id: 'listPipelines',
    method: 'GET',
    path,
    summary: 'List the assets with the number of their links.',
  },
  () => ({
    query: StrictObject({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMax })),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    answers: {
      200: json(
        'A page, in the order in which the assets were made.',
        StrictObject({
          pipelines: Type.Array(
            StrictObject({ asset: Type.String(), name: Type.String(), links: Type.Integer() }),
          ),
        }),
      ),
    },
  }),
)

export const getPipeline = contract(
  {
    ...common,
    id: 'getPipeline',
    method: 'GET',
    path: `${path}/:asset`,
    summary: 'Show a pipeline.',
  },
  () => ({ params: assetParams, answers: { 200: json('The pipeline.', pipelineSchema) } }),
)

export const savePipeline = contract(
  {
    ...common,
    id: 'savePipeline',
    method: 'PUT',
    path: `${path}/:asset`,
    summary: 'Save a pipeline as one change, whole or in part.',
  },
  () => ({
    params: assetParams,
    body: changeSchema,
    answers: { 200: json('The pipeline.', pipelineSchema) },
    refuses: ['pipeline_refused', 'pipeline_outdated'],
    example: { request: { links: [], whole: false } },
  }),
)

export const listPipelineVersions = contract(
  {
    ...common,
    id: 'listPipelineVersions',
    method: 'GET',
    path: `${path}/:asset/versions`,
    summary: 'List the versions of a pipeline, newest first.',
  },
  () => ({ params: assetParams, ...versionPage(version) }),
)

export const getPipelineVersion = contract(
  {
    ...common,
    id: 'getPipelineVersion',
    method: 'GET',
    path: `${path}/:asset/versions/:version`,
    summary: 'Get a version of a pipeline, and what it changed in another one.',
  },
  () => versionCompared(assetParams.properties, comparedVersion),
)

export const restorePipeline = contract(
  {
    ...common,
    id: 'restorePipeline',
    method: 'POST',
    path: `${path}/:asset/restore`,
    summary: 'Save an earlier version of a pipeline again, as a new version.',
  },
  () => ({
    params: assetParams,
    body: restoredVersion,
    answers: { 200: json('The pipeline.', pipelineSchema) },
    refuses: ['pipeline_refused', 'pipeline_outdated'],
    example: { request: { version: 1 } },
  }),
)

const timesSchema = StrictObject({
  linkId: Type.String(),
  name: Type.String(),
  liveOnly: Type.Array(Type.Integer(), { description: 'Times in microseconds.' }),
  changedOnly: Type.Array(Type.Integer(), { description: 'Times in microseconds.' }),
})

const simulatedSchema = component(
  'SimulatedPipeline',
  {
    signals: Type.Array(
      StrictObject({ id: Type.String(), name: Type.String(), count: Type.Integer() }),
      { description: 'The signals of built-in functions, with the number of their values.' },
    ),
    rules: Type.Array(
      StrictObject({
        linkId: Type.String(),
        name: Type.String(),
        fired: Type.Integer({ description: 'How often its level rose.' }),
        changes: Type.Array(
          StrictObject({
            ts: Microseconds(),
            level: Type.Integer(),
            previous: Type.Integer(),
            type: Nullable(Type.String()),
            value: AnyValue<unknown>(),
          }),
        ),
      }),
    ),
    actions: Type.Array(
      StrictObject({
        linkId: Type.String(),
        name: Type.String(),
        count: Type.Integer(),
        at: Type.Array(Type.Integer()),
      }),
      { description: 'Those that would have run.' },
    ),
    failures: Type.Array(
      StrictObject({
        linkId: Type.String(),
        name: Type.String(),
        count: Type.Integer(),
        reason: Type.String(),
      }),
    ),
  },
  { description: 'What a pipeline makes of recorded values.' },
)

const simulationSchema = component(
  'Simulation',
  {
    from: Microseconds(),
    to: Microseconds(),
    values: Type.Integer({ description: 'The recorded values that went through.' }),
    live: simulatedSchema,
    changed: simulatedSchema,
    difference: StrictObject({
      signals: Type.Array(
        StrictObject({
          id: Type.String(),
          name: Type.String(),
          count: Type.Integer(),
          first: StrictObject({
            ts: Microseconds(),
            live: AnyValue<unknown>(),
            changed: AnyValue<unknown>(),
          }),
        }),
      ),
      rules: Type.Array(timesSchema),
      actions: Type.Array(timesSchema),
    }),
    stored: Type.Array(
      StrictObject({ id: Type.String(), name: Type.String(), count: Type.Integer() }),
      { description: 'The signals that were filled, with the number of their values.' },
    ),
    notes: Type.Array(Type.String(), { description: 'What was not simulated, or not stored.' }),
  },
  { description: 'Two pipelines on the same recorded values.' },
)

export type SimulationBody = Static<typeof simulationSchema>

export const simulatePipeline = contract(
  {
    ...common,
    id: 'simulatePipeline',
    method: 'POST',
    path: `${path}/:asset/simulate`,
    summary: 'Run recorded values through a changed pipeline, beside the one that runs.',
  },
  () => ({
    params: assetParams,
    body: StrictObject({
      from: Microseconds('Part of the range, in microseconds.'),
      to: Microseconds('Not part of the range, in microseconds.'),
      change: Type.Optional(changeSchema),
      store: Type.Optional(
        Type.Boolean({
          description: "Store functions' values as history of signals that have none in the range.",
        }),
      ),
    }),
    answers: {
      200: json('What both make of them. Nothing is stored without `store`.', simulationSchema),
    },
    refuses: ['pipeline_refused'],
    example: { request: { from: 1_767_225_600_000_000, to: 1_767_229_200_000_000 } },
  }),
)
