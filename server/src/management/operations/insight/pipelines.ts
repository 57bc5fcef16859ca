import {
  AnyValue,
  component,
  limits,
  Microseconds,
  Nullable,
  OptionalMicroseconds,
  RecordOf,
  type Static,
  type StaticResult,
  StrictObject,
  Type,
} from '../../../kernel/index.ts'
import type { AssetPipeline } from '../../../pipelines/index.ts'
import { shows } from '../../contract/common.ts'
import {
  changedVersion,
  differenceSchema,
  restoredVersion,
  savedBy,
  sinceAny,
  sinceBefore,
  versionCompared,
  versionFields,
  versionNumber,
  versionPage,
} from '../../contract/schemas/versions.ts'
import { operations } from '../../operation.ts'

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
    assetId: Type.String({ description: 'The id of the asset.', wire: 'asset' }),
    version: Type.Integer({ description: 'From 1; 0 if nothing was saved yet.' }),
    savedAt: OptionalMicroseconds('When it was saved, in microseconds.', { wire: 'saved_at' }),
    savedBy: savedBy('A user or a token.'),
    links: Type.Array(linkSchema),
  },
  { description: 'All links of an asset, in the form in which they are saved.' },
)

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

const on = operations('modules', 'Asset Management', '/api:1/pipelines', { isNamed: true })

export const listPipelines = on.get(
  '',
  'List the assets with the number of their links.',
  () => ({
    query: StrictObject({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMax })),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    ...shows(
      'A page, in the order in which the assets were made.',
      StrictObject({
        pipelines: Type.Array(
          StrictObject({ asset: Type.String(), name: Type.String(), links: Type.Integer() }),
        ),
      }),
    ),
  }),
  async ({ pipelines: { documents } }, { view, query }) => {
    const found = await documents.list(view, query)
    return { pipelines: found.map(({ assetId: asset, ...rest }) => ({ asset, ...rest })) }
  },
)

export const getPipeline = on.get(
  '/:asset',
  'Show a pipeline.',
  () => shows('The pipeline.', pipelineSchema),
  async ({ pipelines: { documents } }, { view, params }) =>
    bodyOf(await documents.get(view, params.asset)),
)

export const savePipeline = on.put(
  '/:asset',
  'Save a pipeline as one change, whole or in part.',
  () => ({
    body: changeSchema,
    ...shows('The pipeline.', pipelineSchema),
    refuses: ['pipeline_refused', 'pipeline_outdated'],
    example: { request: { links: [], whole: false } },
  }),
  async ({ pipelines: { documents } }, { view, subject, params, body }) =>
    bodyOf(await documents.save(view, params.asset, body, subject)),
)

export const listPipelineVersions = on.get(
  '/:asset/versions',
  'List the versions of a pipeline, newest first.',
  () => ({ ...versionPage(version) }),
  async ({ pipelines: { documents } }, { view, params, query }) => {
    const found = await documents.versions(view, params.asset, query)
    return { versions: found }
  },
)

export const getPipelineVersion = on.get(
  '/:asset/versions/:version',
  'Get a version of a pipeline, and what it changed in another one.',
  () => versionCompared(comparedVersion),
  async ({ pipelines: { documents } }, { view, params, query: { since } }) => {
    const number = { version: versionNumber(params.version), since }
    const found = await documents.version(view, params.asset, number)
    const { links } = found.document
    return { ...found, links } as StaticResult<typeof comparedVersion>
  },
)

export const restorePipeline = on.post(
  '/:asset/restore',
  'Save an earlier version of a pipeline again, as a new version.',
  () => ({
    body: restoredVersion,
    ...shows('The pipeline.', pipelineSchema),
    refuses: ['pipeline_refused', 'pipeline_outdated'],
    example: { request: { version: 1 } },
  }),
  async ({ pipelines: { documents } }, { view, subject, params, body }) =>
    bodyOf(await documents.restore(view, params.asset, body, subject)),
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

export const simulatePipeline = on.post(
  '/:asset/simulate',
  'Run recorded values through a changed pipeline, beside the one that runs.',
  () => ({
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
    ...shows('What both make of them. Nothing is stored without `store`.', simulationSchema),
    refuses: ['pipeline_refused'],
    example: { request: { from: 1_767_225_600_000_000, to: 1_767_229_200_000_000 } },
  }),
  async ({ pipelines: { simulations } }, { view, params, body }) => {
    const { from, to } = body
    const done = await simulations.run(view, params.asset, body)
    return { ...done, from, to } as SimulationBody
  },
)

function bodyOf({ document: { links }, ...pipeline }: AssetPipeline) {
  return { ...pipeline, links } as StaticResult<typeof pipelineSchema>
}
