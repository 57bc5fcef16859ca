import { limits } from '../../kernel/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import type { ImportBindings, NotificationReads } from '../../services/notification/index.ts'
import { type Call, ok, type Route } from '../legacy-route.ts'
import { bodyObject, fieldsOf, invalid, textOf } from '../wire/fields.ts'
import { wholeNumber } from '../wire/identity.ts'
import { solutionOf, solutionPath } from './solutions.ts'

/** Routes for a solution's notifications, their outcomes, and the local sink's messages. */
export function notificationRoutes(
  { solutions }: Pick<Scripting, 'solutions'>,
  notifications: NotificationReads & { readonly importBindings: ImportBindings },
): Route[] {
  const named = async (call: Call) => {
    const where = solutionOf(call)
    await solutions.get(...where)
    return where
  }
  const path = `${solutionPath}/notifications`
  return [
    {
      path,
      GET: {
        permission: 'Setup',
        act: async (call) => ok(await notifications.list(...(await named(call)), pageOf(call))),
      },
    },
    {
      path: `${path}/sink`,
      GET: {
        permission: 'Setup',
        act: async (call) => ok(await notifications.sink(...(await named(call)), pageOf(call))),
      },
    },
    {
      path: `${path}/channels`,
      GET: {
        permission: 'Setup',
        act: async (call) => ok(await notifications.channels(...(await named(call)))),
      },
    },
    {
      path: `${path}/bindings`,
      POST: {
        permission: 'Setup',
        async act(call) {
          const [businessId, solutionId] = await named(call)
          const { rows, ...asked } = importOf(call)
          return ok(await notifications.importBindings({ businessId, solutionId }, rows, asked))
        },
      },
    },
    {
      path: `${path}/:sid`,
      GET: {
        permission: 'Setup',
        async act(call) {
          const where = await named(call)
          return ok(await notifications.show(...where, call.params.sid ?? '', pageOf(call)))
        },
      },
    },
  ]
}

function importOf({ body }: Call) {
  const given = fieldsOf('body', bodyObject(body), ['bindings', 'service_sid', 'dry_run'])
  const { bindings: rows, service_sid: serviceSid, dry_run: dryRun = false } = given
  const max = limits.notificationImportBatchMax
  if (!Array.isArray(rows) || rows.length > max) {
    throw invalid('bindings', `must be a list of at most ${max}`)
  }
  if (typeof dryRun !== 'boolean') throw invalid('dry_run', 'must be true or false')
  if (serviceSid === undefined) return { rows, dryRun }
  return { rows, dryRun, serviceSid: textOf('service_sid', serviceSid) }
}

function pageOf({ query }: Call) {
  const given = fieldsOf('query', query, ['cursor', 'limit'])
  const { pageMax } = limits
  return {
    cursor: numberOf('cursor', given.cursor, Number.MAX_SAFE_INTEGER),
    limit: numberOf('limit', given.limit, pageMax),
  }
}

function numberOf(name: string, given: unknown, max: number): number | undefined {
  const value = wholeNumber(given)
  if (value === undefined) return undefined
  if (typeof value === 'number' && value >= 1 && value <= max) return value
  throw invalid(name, `must be a number from 1 to ${max}`)
}
