import type { AssetPipeline, Pipelines, PipelineVersion } from '../../pipelines/index.ts'
import { versionNumber } from '../contract/assets/versions.ts'
import {
  getPipeline,
  getPipelineVersion,
  listPipelines,
  listPipelineVersions,
  type PipelineBody,
  type PipelineVersionBody,
  restorePipeline,
  type SimulationBody,
  savePipeline,
  simulatePipeline,
} from '../contract/insight/pipelines.ts'
import { ok, type Route, route } from '../route.ts'

/** Pipelines of assets, each as one document; and trials of changes on recorded values. */
export function pipelineRoutes({
  documents,
  simulations,
}: Pick<Pipelines, 'documents' | 'simulations'>): Route[] {
  return [
    route(listPipelines, async ({ principal, query }) => {
      const found = await documents.list(principal.view, query)
      return ok({ pipelines: found.map(({ assetId: asset, ...rest }) => ({ asset, ...rest })) })
    }),
    route(getPipeline, async ({ principal, params }) =>
      ok(bodyOf(await documents.get(principal.view, params.asset))),
    ),
    route(savePipeline, async ({ principal: { view, subject }, params, body }) =>
      ok(bodyOf(await documents.save(view, params.asset, body, subject))),
    ),
    route(listPipelineVersions, async ({ principal, params, query }) => {
      const found = await documents.versions(principal.view, params.asset, query)
      return ok({ versions: found.map(versionOf) })
    }),
    route(getPipelineVersion, async ({ principal, params, query: { since } }) => {
      const number = { version: versionNumber(params.version), since }
      const found = await documents.version(principal.view, params.asset, number)
      const { links } = found.document
      return ok({ ...versionOf(found), links } as PipelineVersionBody)
    }),
    route(restorePipeline, async ({ principal: { view, subject }, params, body }) =>
      ok(bodyOf(await documents.restore(view, params.asset, body, subject))),
    ),
    route(simulatePipeline, async ({ principal, params, body }) => {
      const { from, to, change, store } = body
      const request = { from, to, change, store }
      const { live, changed, difference, stored, notes, values } = await simulations.run(
        principal.view,
        params.asset,
        request,
      )
      return ok({ from, to, values, live, changed, difference, stored, notes } as SimulationBody)
    }),
  ]
}

function bodyOf({ assetId, version, savedAt, savedBy, document }: AssetPipeline): PipelineBody {
  const { links } = document
  return { asset: assetId, version, saved_at: savedAt, saved_by: savedBy, links } as PipelineBody
}

/** Lists are read as a whole: the documents of many versions are long. */
function versionOf({ version, savedAt, savedBy, difference }: PipelineVersion) {
  return { version, saved_at: savedAt, saved_by: savedBy, difference }
}
