import { Fault, limits } from '../../kernel/index.ts'
import type { ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { audienceOf } from './audience.ts'
import { type Binding, readBinding } from './binding.ts'
import { newBindingSid } from './ids.ts'
import type { ListArguments } from './list-page.ts'
import type { Needs } from './needs.ts'
import { createSend, type Send } from './send.ts'
import * as store from './store/bindings.ts'

/** Whose bindings. */
export type Where = Pick<ServiceCall, 'businessId' | 'solutionId'>

/** What the service does, however it is asked: by scripts, or by HTTP. */
export type Actions = {
  /** @throws Fault invalid_argument */
  createBinding(where: Where, args: ScriptValue): Promise<Binding>
  /** @throws Fault not_found */
  getBinding(where: Where, serviceSid: string, sid: string): Promise<Binding>
  /** @throws Fault not_found */
  deleteBinding(where: Where, serviceSid: string, sid: string): Promise<void>
  listBinding(where: Where, asked: Listing, page: store.BindingPage): Promise<Binding[]>
  send: Send
}

type Listing = Pick<ListArguments, 'serviceSid' | 'identities' | 'tags' | 'fromUs' | 'toUs'>

export function createActions(needs: Needs & { readonly wake: () => void }): Actions {
  const { database, clock, random } = needs
  return {
    createBinding(where, args) {
      const wanted = readBinding(args, newBindingSid(random))
      const whose = { ...where, max: limits.notificationBindingsMax }
      return database.transaction(async (transaction) => {
        const put = await store.putBinding(transaction, whose, wanted, clock.nowUs())
        if (put !== undefined) return put
        const most = `${limits.notificationBindingsMax} bindings`
        throw new Fault('invalid_argument', `a solution has at most ${most}`)
      })
    },
    async getBinding({ solutionId }, serviceSid, sid) {
      const binding = await store.readBinding(database, solutionId, serviceSid, sid)
      if (binding === undefined) throw unknownBinding(sid)
      return binding
    },
    async deleteBinding({ solutionId }, serviceSid, sid) {
      const deleted = await database.transaction((transaction) =>
        store.deleteBinding(transaction, solutionId, serviceSid, sid),
      )
      if (!deleted) throw unknownBinding(sid)
    },
    listBinding({ solutionId }, asked, page) {
      return store.readBindings(database, audienceOf(solutionId, asked), asked, page)
    },
    send: createSend(needs),
  }
}

function unknownBinding(sid: string): Fault {
  return new Fault('not_found', `The service has no binding ${sid}.`)
}
