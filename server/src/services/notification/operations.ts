import type { Operation, ServiceCall } from '../../scripting/index.ts'
import type { Actions } from './actions.ts'
import type { Binding } from './bindings/binding.ts'
import { pageMeta, readList } from './list-page.ts'
import type { NotificationNeeds } from './needs.ts'
import { accountSid, readProviderConfiguration } from './providers/route.ts'
import { sidOf, take } from './sending/arguments.ts'
import { readSend } from './sending/message.ts'
import { preview } from './sending/preview.ts'
import { bindingObject, notificationObject } from './wire.ts'

/** The operations that scripts call. */
export function createOperations(
  needs: NotificationNeeds,
  actions: Actions,
): Readonly<Record<string, Operation>> {
  const { clock, baseUrl } = needs
  const account = async (call: ServiceCall) =>
    accountSid(await readProviderConfiguration(needs, call.solutionId), call.solutionId)
  const shown = async (call: ServiceCall, binding: Binding) =>
    bindingObject(binding, await account(call), baseUrl)

  return {
    async createBinding(call, args) {
      return shown(call, await actions.createBinding(call, args))
    },
    async getBinding(call, args) {
      return shown(call, await actions.getBinding(call, ...readBindingSid(args)))
    },
    async deleteBinding(call, args) {
      await actions.deleteBinding(call, ...readBindingSid(args))
      return undefined
    },
    async listBinding(call, args) {
      const asked = readList(args)
      const { pageSize, page } = asked
      const place = { offset: page * pageSize, count: pageSize + 1 }
      const found = await actions.listBinding(call, asked, place)
      const bindings = found.slice(0, pageSize)
      const sid = await account(call)
      return {
        meta: pageMeta(asked, bindings.length, found.length > pageSize, baseUrl),
        bindings: bindings.map((binding) => bindingObject(binding, sid, baseUrl)),
      }
    },
    async send(call, args) {
      const asked = readSend(args, clock.nowMs())
      if (asked.dryRun) return preview(needs, call.solutionId, asked)
      return notificationObject(await actions.send(call, asked), await account(call))
    },
  }
}

function readBindingSid(args: Parameters<Operation>[1]): readonly [string, string] {
  const given = take(args, ['ServiceSid', 'BindingSid'])
  return [sidOf('ServiceSid', given.ServiceSid), sidOf('BindingSid', given.BindingSid)]
}
