import { omitUndefined } from '../../kernel/index.ts'
import type { Scripting } from '../../scripting/index.ts'
import type { NotificationReads, Notifications } from '../../services/notification/index.ts'
import {
  deleteBinding,
  getNotification,
  importBindings,
  listBindings,
  listChannels,
  listNotifications,
  listSinkEntries,
  previewNotification,
} from '../contract/notifications.ts'
import { noContent, ok, type Route, route } from '../route.ts'
import { solutionOf } from './solutions.ts'

/** Routes for a solution's notifications, their outcomes, and the local sink's messages. */
export function notificationRoutes(
  { solutions }: Pick<Scripting, 'solutions'>,
  notifications: NotificationReads & Pick<Notifications, 'importBindings' | 'bindings' | 'preview'>,
): Route[] {
  const named = async (call: Parameters<typeof solutionOf>[0]) => {
    const where = solutionOf(call)
    await solutions.get(...where)
    return where
  }
  return [
    route(listNotifications, async (call) =>
      ok(omitUndefined(await notifications.list(...(await named(call)), call.query))),
    ),
    route(listSinkEntries, async (call) =>
      ok(omitUndefined(await notifications.sink(...(await named(call)), call.query))),
    ),
    route(listChannels, async (call) => ok(await notifications.channels(...(await named(call))))),
    route(importBindings, async (call) => {
      const [businessId, solutionId] = await named(call)
      const { bindings, service_sid: serviceSid, dry_run: dryRun = false } = call.body
      const where = { businessId, solutionId }
      return ok(await notifications.importBindings(where, bindings, { serviceSid, dryRun }))
    }),
    route(listBindings, async (call) => {
      const [businessId, solutionId] = await named(call)
      const page = await notifications.bindings.list({ businessId, solutionId }, call.query)
      return ok(omitUndefined(page))
    }),
    route(deleteBinding, async (call) => {
      const [businessId, solutionId] = await named(call)
      await notifications.bindings.remove({ businessId, solutionId }, call.params.sid)
      return noContent()
    }),
    route(previewNotification, async (call) => {
      const [, solutionId] = await named(call)
      return ok({ channels: await notifications.preview(solutionId, call.body) })
    }),
    route(getNotification, async (call) => {
      const where = await named(call)
      return ok(omitUndefined(await notifications.show(...where, call.params.sid, call.query)))
    }),
  ]
}
