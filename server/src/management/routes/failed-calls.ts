import { omitUndefined } from '../../kernel/index.ts'
import type { FailedCall, Pipelines } from '../../pipelines/index.ts'
import { formatDeadKey, parseDeadKey } from '../../scripting/index.ts'
import {
  correctFailedCall,
  discardFailedCall,
  discardFailedCalls,
  type FailedCallBody,
  getFailedCall,
  listFailedCalls,
  retryFailedCall,
  retryFailedCalls,
} from '../contract/insight/failed-calls.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { failureIdOf } from './solution-failures.ts'

/** Calls of functions that failed: to be looked at, corrected and made again. */
export function failedCallRoutes({ failedCalls }: Pick<Pipelines, 'failedCalls'>): Route[] {
  return [
    route(listFailedCalls, async ({ principal, query }) => {
      const { limit, before = '', asset: assetId, link: linkId } = query
      const asked = { limit, before: parseDeadKey(before), assetId, linkId }
      const page = await failedCalls.list(principal.view, asked)
      const next = page.before && formatDeadKey(page.before)
      return ok({
        calls: page.calls.map(bodyOf),
        mayLoadMore: next !== undefined,
        ...omitUndefined({ before: next }),
      })
    }),
    route(discardFailedCalls, async ({ principal }) =>
      ok({ discarded: await failedCalls.discardAll(principal.view) }),
    ),
    route(retryFailedCalls, async ({ principal }) =>
      ok({ retried: await failedCalls.retryAll(principal.view) }),
    ),
    route(getFailedCall, async (call) =>
      ok(bodyOf(await failedCalls.get(call.principal.view, failureIdOf(call)))),
    ),
    route(correctFailedCall, async (call) => {
      const { principal, body } = call
      await failedCalls.correct(principal.view, failureIdOf(call), body.data)
      return noContent()
    }),
    route(retryFailedCall, async (call) => {
      const { principal, body } = call
      const correction = body?.data && { data: body.data }
      await failedCalls.retry(principal.view, failureIdOf(call), correction)
      return noContent()
    }),
    route(discardFailedCall, async (call) => {
      await failedCalls.discard(call.principal.view, failureIdOf(call))
      return noContent()
    }),
  ]
}

function bodyOf({ link, assetId, trackingId, ...call }: FailedCall): FailedCallBody {
  const { id, request, error, tries, createdAt, failedAt } = call
  return {
    id,
    asset: assetId,
    link: link?.id ?? null,
    link_name: link?.name ?? null,
    module: link?.moduleId ?? null,
    function: link?.functionId ?? null,
    request,
    tracking_id: trackingId,
    error,
    tries,
    created_at: createdAt,
    failed_at: failedAt,
  }
}
