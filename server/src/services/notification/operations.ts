import { Fault, limits } from '../../kernel/index.ts'
import type { Operation, ServiceCall } from '../../scripting/index.ts'
import { sidOf, take } from './arguments.ts'
import { audienceOf } from './audience.ts'
import { type Binding, readBinding } from './binding.ts'
import { newBindingSid } from './ids.ts'
import { pageMeta, readList } from './list-page.ts'
import type { Needs } from './needs.ts'
import { createSend } from './send.ts'
import { accountSid, setupOf } from './setup.ts'
import * as store from './store/bindings.ts'
import { bindingObject } from './wire.ts'

/** What scripts can ask of the service. */
export function createOperations(
  needs: Needs & { readonly wake: () => void },
): Readonly<Record<string, Operation>> {
  const { database, clock, random, baseUrl } = needs
  const account = async (call: ServiceCall) =>
    accountSid(await setupOf(needs, call.solutionId), call.solutionId)
  const shown = async (call: ServiceCall, binding: Binding) =>
    bindingObject(binding, await account(call), baseUrl)

  return {
    async createBinding(call, args) {
      const wanted = readBinding(args, newBindingSid(random))
      const where = { ...call, max: limits.notificationBindingsMax }
      const binding = await database.transaction(async (transaction) => {
        const put = await store.putBinding(transaction, where, wanted, clock.nowUs())
        if (put !== undefined) return put
        const most = `${limits.notificationBindingsMax} bindings`
        throw new Fault('invalid_argument', `a solution has at most ${most}`)
      })
      return shown(call, binding)
    },
    async getBinding(call, args) {
      const [serviceSid, sid] = readBindingSid(args)
      const binding = await store.readBinding(database, call.solutionId, serviceSid, sid)
      if (binding === undefined) throw unknownBinding(sid)
      return shown(call, binding)
    },
    async deleteBinding(call, args) {
      const [serviceSid, sid] = readBindingSid(args)
      const deleted = await database.transaction((transaction) =>
        store.deleteBinding(transaction, call.solutionId, serviceSid, sid),
      )
      if (!deleted) throw unknownBinding(sid)
      return undefined
    },
    async listBinding(call, args) {
      const asked = readList(args)
      const { pageSize, page } = asked
      const found = await store.readBindings(database, audienceOf(call.solutionId, asked), {
        ...asked,
        offset: page * pageSize,
        count: pageSize + 1,
      })
      const bindings = found.slice(0, pageSize)
      const sid = await account(call)
      return {
        meta: pageMeta(asked, bindings.length, found.length > pageSize, baseUrl),
        bindings: bindings.map((binding) => bindingObject(binding, sid, baseUrl)),
      }
    },
    send: createSend(needs),
  }
}

function readBindingSid(args: Parameters<Operation>[1]): readonly [string, string] {
  const given = take(args, ['ServiceSid', 'BindingSid'])
  return [sidOf('ServiceSid', given.ServiceSid), sidOf('BindingSid', given.BindingSid)]
}

function unknownBinding(sid: string): Fault {
  return new Fault('not_found', `The service has no binding ${sid}.`)
}
