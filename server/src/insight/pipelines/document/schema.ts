import type { Insight } from '@millrace/insight-sdk/protocol'
import {
  AnyValue,
  changedVersion,
  comparedVersionSchema,
  component,
  createDifferenceSchema,
  Nullable,
  OptionalMicroseconds,
  RecordOf,
  type StaticInput,
  type StaticResult,
  StrictObject,
  savedBy,
  Type,
  versionSchema,
} from '../../../foundation/kernel/index.ts'
import type { Link } from '../types.ts'

/** Feeds an inlet: a signal of the asset, or an outlet of another link of the document. */
const inletSchema = StrictObject({
  signalId: Type.Optional(Nullable(Type.String(), { description: 'A signal of the asset.' })),
  link: Type.Optional(
    Nullable(Type.String(), { description: 'Or the `id` or the `ref` of another link.' }),
  ),
  outlet: Type.Optional(
    Nullable(Type.Integer({ minimum: 0 }), { description: 'The outlet of that link, from 0.' }),
  ),
})
export type InletSpec = StaticInput<typeof inletSchema>

const outletSchema = StrictObject({
  signalId: Type.Optional(
    Nullable(Type.String(), { description: 'A signal that nothing feeds; else one is made.' }),
  ),
  name: Type.Optional(Nullable(Type.String(), { description: 'The name of the signal.' })),
})
export type OutletSpec = StaticInput<typeof outletSchema>

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
export type LinkSpec = StaticInput<typeof linkSchema>

export const pipelineChangeSchema = component(
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
export type PipelineChange = StaticInput<typeof pipelineChangeSchema>

/** A change with what only the platform may ask for. */
export type FullChange = PipelineChange & {
  /** A link with an id that is not there is made with this id. */
  readonly revive?: boolean
}

/** Finds the function of a new link. @throws Fault not_found, module_failed */
export type FindFunction = (spec: LinkSpec) => Insight

/** An asset's pipeline as it is stored: the same form as a change. */
export type PipelineDocument = { readonly links: readonly DocumentLink[] }

export type DocumentLink = Pick<
  Link,
  | 'id'
  | 'moduleId'
  | 'functionId'
  | 'groupId'
  | 'name'
  | 'enabled'
  | 'timeoutMs'
  | 'constants'
  | 'checks'
> & {
  readonly type: Insight['type']
  readonly inlets: readonly InletSpec[]
  readonly outlets: readonly OutletSpec[]
}

export const pipelineSchema = component(
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

/** The pipeline of an asset, with its links as they run. */
export type AssetPipeline = Omit<StaticResult<typeof pipelineSchema>, 'links'> & {
  readonly links: readonly Link[]
  readonly document: PipelineDocument
}

/** An asset in a list of pipelines. */
export const listedPipelineSchema = StrictObject({
  assetId: Type.String({ wire: 'asset' }),
  name: Type.String(),
  links: Type.Integer(),
})

const difference = createDifferenceSchema('By the ids of links.')
export const pipelineVersionSchema = versionSchema('PipelineVersion', difference)
export const comparedPipelineSchema = comparedVersionSchema(
  'ComparedPipelineVersion',
  { links: Type.Array(linkSchema) },
  difference,
)
