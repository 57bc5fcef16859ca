import type { AllFailures, StageFailure } from '../../failures/index.ts'
import { type FailureKey, limits, omitUndefined } from '../../kernel/index.ts'
import {
  countStageFailures,
  discardStageFailure,
  discardStageFailures,
  getStageFailure,
  listStageFailures,
  retryStageFailure,
  retryStageFailures,
  type StageFailureBody,
  stageKeyPattern,
} from '../contract/failures/stages.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { valueBody } from '../wire/solution.ts'

/** What failed at every stage: to be looked at, corrected and sent again. */
export function stageFailureRoutes(failures: AllFailures): Route[] {
  return [
    route(listStageFailures, async ({ principal, query }) => {
      const { stage, limit = limits.pageDefault, before = '' } = query
      const page = await failures.list(principal, { stage, before: parseKey(before), limit })
      const next = page.before && `${page.before.failedAtUs}.${page.before.id}`
      return ok({
        failures: page.failures.map(bodyOf),
        mayLoadMore: next !== undefined,
        ...omitUndefined({ before: next }),
      })
    }),
    route(countStageFailures, async ({ principal: { businessId } }) =>
      ok({ stages: await failures.count(businessId), most: limits.failuresCountedMax }),
    ),
    route(retryStageFailures, async ({ principal, params: { stage } }) =>
      ok({ retried: await failures.of(stage).retryAll(principal) }),
    ),
    route(discardStageFailures, async ({ principal, params: { stage } }) =>
      ok({ discarded: await failures.of(stage).discardAll(principal) }),
    ),
    route(getStageFailure, async ({ principal, params: { stage, id } }) =>
      ok(bodyOf(await failures.of(stage).get(principal, id))),
    ),
    route(retryStageFailure, async ({ principal, params: { stage, id }, body = {} }) => {
      const input = 'input' in body ? { value: body.input } : undefined
      await failures.of(stage).retry(principal, id, input)
      return noContent()
    }),
    route(discardStageFailure, async ({ principal, params: { stage, id } }) => {
      await failures.of(stage).discard(principal, id)
      return noContent()
    }),
  ]
}

function parseKey(text: string): FailureKey | undefined {
  const [, failedAtUs, id = ''] = stageKeyPattern.exec(text) ?? []
  return failedAtUs === undefined ? undefined : { failedAtUs: Number(failedAtUs), id }
}

function bodyOf({
  about,
  input,
  trackingId,
  createdAt,
  failedAt,
  ...one
}: StageFailure): StageFailureBody {
  const { linkName, ...rest } = about
  return {
    ...one,
    about: { ...rest, ...omitUndefined({ link_name: linkName }) },
    input: valueBody(input) ?? null,
    tracking_id: trackingId,
    created_at: createdAt,
    failed_at: failedAt,
  }
}
