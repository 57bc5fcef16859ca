import type { Implementation } from '../../../foundation/kernel/index.ts'
import type { ScriptValue, ServiceCall } from '../../scripting/index.ts'
import type { Actions } from './actions.ts'
import { type Binding, readBinding } from './bindings/binding.ts'
import { newBindingSid } from './ids.ts'
import { pageMeta, readList } from './list-page.ts'
import type { notificationOperations } from './operations.ts'
import type { NotificationOptions } from './options.ts'
import { accountSid, readProviderConfiguration } from './providers/route.ts'
import { readSend } from './sending/message.ts'
import { preview } from './sending/preview.ts'
import { bindingObject, notificationObject } from './wire.ts'

/** The operations that scripts call. */
export function makeImplementation(
  options: NotificationOptions,
  actions: Actions,
): Implementation<ServiceCall, typeof notificationOperations.schemas> {
  const { clock, baseUrl, random } = options
  const account = async (call: ServiceCall) =>
    accountSid(await readProviderConfiguration(options, call.solutionId), call.solutionId)
  const shown = async (call: ServiceCall, binding: Binding) =>
    bindingObject(binding, await account(call), baseUrl)

  return {
    async createBinding(call, args) {
      return shown(
        call,
        await actions.createBinding(call, readBinding(args, newBindingSid(random))),
      )
    },
    async getBinding(call, { ServiceSid, BindingSid }) {
      return shown(call, await actions.getBinding(call, ServiceSid, BindingSid))
    },
    async deleteBinding(call, { ServiceSid, BindingSid }) {
      await actions.deleteBinding(call, ServiceSid, BindingSid)
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
      if (asked.dryRun) return (await preview(options, call.solutionId, asked)) as ScriptValue
      return notificationObject(await actions.send(call, asked), await account(call))
    },
  }
}
