import type { Database } from '../../foundation/database/index.ts'
import { Fault, isJsonObject } from '../../foundation/kernel/index.ts'
import type { CallCorrection, FailedCall, Pipelines } from '../../insight/pipelines/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import { wholeView } from '../../people/groups/index.ts'
import type { DeadDelivery, Scripting, ScriptValue } from '../../scripts/scripting/index.ts'
import type { FailedDelivery, Notifications } from '../../scripts/services/notification/index.ts'
import type { Asker, StageFailure, StageFailures } from './types.ts'

/** Calls of functions of insight modules. */
export function callFailures({ failedCalls }: Pick<Pipelines, 'failedCalls'>): StageFailures {
  return {
    async list({ view }, before, limit) {
      return (await failedCalls.list(view, { before, limit })).calls.map(ofCall)
    },
    count: (businessId, most) => failedCalls.count(wholeView(businessId), most),
    get: async ({ view }, id) => ofCall(await failedCalls.get(view, id)),
    retry: ({ view }, id, input) =>
      failedCalls.retry(view, id, input && parseCorrection(input.value)),
    retryAll: ({ view }) => failedCalls.retryAll(view),
    discard: ({ view }, id) => failedCalls.discard(view, id),
    discardAll: ({ view }) => failedCalls.discardAll(view),
  }
}

/** A corrected request, or its `data` alone. */
function parseCorrection(input: unknown): CallCorrection {
  if (Array.isArray(input)) return { data: input }
  if (isJsonObject(input)) return input
  throw new Fault('invalid_argument', 'The input of a call is its request, an object.')
}

function ofCall({ assetId: asset, linkId, linkName, error, ...call }: FailedCall): StageFailure {
  const { id, request, tries, trackingId, createdAt, failedAt } = call
  return {
    stage: 'functions.calls',
    id,
    about: { asset, link: linkId ?? undefined, linkName: linkName ?? undefined },
    ...error,
    input: request,
    final: null,
    tries,
    trackingId,
    createdAt,
    failedAt,
  }
}

/** Calls of handlers of solutions. */
export function deliveryFailures({
  failures,
}: {
  readonly failures: Scripting['failures']
}): StageFailures {
  const { ofBusiness, find, solutionsWithFailures } = failures
  const each = async ({ view }: Asker, act: (solution: string) => Promise<number>) => {
    let count = 0
    for (const solution of await solutionsWithFailures(view.businessId))
      count += await act(solution)
    return count
  }
  return {
    async list({ view }, before, limit) {
      return (await ofBusiness(view.businessId, before, limit)).map(ofDelivery)
    },
    count: (...asked) => failures.count(...asked),
    get: async ({ view }, id) => ofDelivery(await find(view.businessId, id)),
    async retry({ view: { businessId } }, id, input) {
      const { solutionId } = await find(businessId, id)
      const argument = input && { value: input.value as ScriptValue }
      await failures.retry(businessId, solutionId, id, argument)
    },
    retryAll: (asker) => each(asker, (one) => failures.retryAll(asker.view.businessId, one)),
    async discard({ view: { businessId } }, id) {
      const { solutionId } = await find(businessId, id)
      await failures.discard(businessId, solutionId, id)
    },
    discardAll: (asker) => each(asker, (one) => failures.discardAll(asker.view.businessId, one)),
  }
}

function ofDelivery({
  solutionId,
  service,
  event,
  argument,
  error,
  ...one
}: DeadDelivery): StageFailure {
  const { id, tries, trackingId, createdAt, failedAt } = one
  return {
    stage: 'deliveries',
    id,
    about: { solution: solutionId, service, event },
    code: error.type,
    reason: error.error,
    input: argument,
    final: null,
    tries,
    trackingId,
    createdAt,
    failedAt,
  }
}

/** Deliveries of notifications. */
export function notificationFailures(
  { failures }: Pick<Notifications, 'failures'>,
  { solutions }: Pick<Scripting, 'solutions'>,
  { database, changes }: { readonly database: Database; readonly changes: Changes },
): StageFailures {
  const listIds = async (businessId: string) =>
    (await solutions.list(businessId)).map(({ id }) => id)
  const listSolutions = ({ view }: Asker) => listIds(view.businessId)
  async function published<Result>({ view }: Asker, work: Promise<Result>): Promise<Result> {
    const result = await work
    changes.publish(database, view.businessId, 'failures')
    return result
  }
  return {
    async list(asker, ...page) {
      return (await failures.list(await listSolutions(asker), ...page)).map(ofNotification)
    },
    count: async (businessId, most) => failures.count(await listIds(businessId), most),
    get: async (asker, id) => ofNotification(await failures.get(await listSolutions(asker), id)),
    async retry(asker, id, input) {
      if (input !== undefined) {
        throw new Fault('invalid_argument', 'A notification can only be sent again unchanged.')
      }
      await published(asker, failures.retry(await listSolutions(asker), id))
    },
    retryAll: async (asker) => published(asker, failures.retry(await listSolutions(asker))),
    async discard(asker, id) {
      await published(asker, failures.discard(await listSolutions(asker), id))
    },
    discardAll: async (asker) => published(asker, failures.discard(await listSolutions(asker))),
  }
}

function ofNotification({
  message,
  solutionId,
  channel,
  address,
  ...one
}: FailedDelivery): StageFailure {
  const { id, notificationSid: notification, reason, tries, createdAt, failedAt } = one
  return {
    stage: 'notifications',
    id,
    about: { solution: solutionId, notification, channel, address },
    code: null,
    reason,
    input: message,
    final: null,
    tries,
    trackingId: null,
    createdAt,
    failedAt,
  }
}
