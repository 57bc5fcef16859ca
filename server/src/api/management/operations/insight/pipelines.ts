import {
  limits,
  restoredVersionSchema,
  StrictObject,
  Type,
} from '../../../../foundation/kernel/index.ts'
import {
  comparedPipelineSchema,
  listedPipelineSchema,
  type PipelineDocument,
  pipelineChangeSchema,
  pipelineSchema,
  pipelineVersionSchema,
  simulationRequestSchema,
  simulationSchema,
  traceSchema,
} from '../../../../insight/pipelines/index.ts'
import { lists, shows, versionCompared, versionNumber, versionPage } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const on = operations('modules', 'Asset Management', '/api:1/pipelines', { isNamed: true })

export const listPipelines = on.get(
  '',
  'List the assets with the number of their links.',
  () => ({
    query: StrictObject({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageMax })),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    ...lists(
      'pipelines',
      listedPipelineSchema,
      'A page, in the order in which the assets were made.',
    ),
  }),
  ({ pipelines: { documents } }, { view, query }) => documents.list(view, query),
)

export const getPipeline = on.get(
  '/:asset',
  'Show a pipeline.',
  () => shows('The pipeline.', pipelineSchema),
  async ({ pipelines: { documents } }, { view, params }) =>
    withDocument(await documents.get(view, params.asset)),
)

export const savePipeline = on.put(
  '/:asset',
  'Save a pipeline as one change, whole or in part.',
  () => ({
    body: pipelineChangeSchema,
    ...shows('The pipeline.', pipelineSchema),
    refuses: ['pipeline_refused', 'pipeline_outdated'],
    example: { request: { links: [], whole: false } },
  }),
  async ({ pipelines: { documents } }, { view, subject, params, body }) =>
    withDocument(await documents.save(view, params.asset, body, subject)),
)

export const listPipelineVersions = on.get(
  '/:asset/versions',
  'List the versions of a pipeline, newest first.',
  () => versionPage(pipelineVersionSchema),
  ({ pipelines: { documents } }, { view, params, query }) =>
    documents.versions(view, params.asset, query),
)

export const getPipelineVersion = on.get(
  '/:asset/versions/:version',
  'Get a version of a pipeline, and what it changed in another one.',
  () => versionCompared(comparedPipelineSchema),
  async ({ pipelines: { documents } }, { view, params, query }) =>
    withDocument(
      await documents.version(view, params.asset, { version: versionNumber(params), ...query }),
    ),
)

export const restorePipeline = on.post(
  '/:asset/restore',
  'Save an earlier version of a pipeline again, as a new version.',
  () => ({
    body: restoredVersionSchema,
    ...shows('The pipeline.', pipelineSchema),
    refuses: ['pipeline_refused', 'pipeline_outdated'],
    example: { request: { version: 1 } },
  }),
  async ({ pipelines: { documents } }, { view, subject, params, body }) =>
    withDocument(await documents.restore(view, params.asset, body, subject)),
)

export const simulatePipeline = on.post(
  '/:asset/simulate',
  'Run recorded values through a changed pipeline, beside the one that runs.',
  () => ({
    body: simulationRequestSchema,
    ...shows('What both make of them. Nothing is stored without `store`.', simulationSchema),
    refuses: ['pipeline_refused'],
    example: { request: { from: 1_767_225_600_000_000, to: 1_767_229_200_000_000 } },
  }),
  ({ pipelines: { simulations } }, { view, params, body }) =>
    simulations.run(view, params.asset, body),
)

const traces = operations('modules', 'View Asset Data', '/api:1/trace')

export const traceValue = traces.get(
  '',
  'Follow a value to the write that it came from, and to all that it led to.',
  () => ({
    query: StrictObject({
      signal: Type.String({ description: 'The id of a signal.' }),
      ts: Type.Optional(
        Type.Integer({
          description: 'The stamp of its value, in microseconds; the newest if it is left out.',
        }),
      ),
    }),
    ...shows('The trace.', traceSchema),
    refuses: ['not_found'],
  }),
  ({ pipelines }, { view, query: { signal, ts } }) => pipelines.traces.of(view, signal, ts),
)

function withDocument<Pipeline extends { readonly document: PipelineDocument }>({
  document,
  ...pipeline
}: Pipeline) {
  return { ...pipeline, links: document.links }
}
