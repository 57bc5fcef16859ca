import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../scripting/index.ts'
import { makeAudience } from './bindings/audience.ts'
import type { Binding, NewBinding } from './bindings/binding.ts'
import { rebound } from './delivery/job.ts'
import type { ListQuery } from './list-page.ts'
import { countJobs, type NotificationOptions } from './options.ts'
import { createSend, type Send } from './sending/send.ts'
import * as store from './store/bindings.ts'
import { endJobsOfBinding, moveJobs } from './store/waiting-jobs.ts'

/** The owner of bindings. */
export type Where = Pick<ServiceCall, 'businessId' | 'solutionId'> & {
  /** The tracking id of the call that asks. */
  readonly trackingId?: string
}

/** The operations of the service, for scripts and for the REST API. */
export type Actions = {
  /** @throws Fault invalid_argument if the solution has too many */
  createBinding(where: Where, wanted: NewBinding): Promise<Binding>
  /** @throws Fault not_found */
  getBinding(where: Where, serviceSid: string, sid: string): Promise<Binding>
  /** @throws Fault not_found */
  deleteBinding(where: Where, serviceSid: string, sid: string): Promise<void>
  listBinding(where: Where, asked: Listing, page: store.BindingPage): Promise<Binding[]>
  send: Send
}

type Listing = Pick<ListQuery, 'serviceSid' | 'identities' | 'tags' | 'fromUs' | 'toUs'>

export type ActionOptions = NotificationOptions & {
  /** Makes the dispatcher poll: there may be new jobs. */
  wake(): void
  /** Drops cached jobs of bindings that were deleted or replaced. */
  invalidateBindings(solutionId: string, sids: readonly string[]): void
}

export function createActions(options: ActionOptions): Actions {
  const { database, clock } = options
  return {
    async createBinding(where, wanted) {
      const { binding, replaced } = await putBinding(options, where, wanted)
      if (replaced !== undefined) options.invalidateBindings(where.solutionId, [replaced])
      return binding
    },
    async getBinding({ solutionId }, serviceSid, sid) {
      const binding = await store.readBinding(database, solutionId, serviceSid, sid)
      if (binding === undefined) throw unknownBinding(sid)
      return binding
    },
    async deleteBinding({ solutionId }, serviceSid, sid) {
      await database.transaction(async (transaction) => {
        const deleted = await store.deleteBinding(transaction, solutionId, serviceSid, sid)
        if (!deleted) throw unknownBinding(sid)
        const moment = { at: clock.nowUs(), event: 'pruned', text: deletedBinding } as const
        const ended = await endJobsOfBinding(transaction, { solutionId, sid }, moment)
        for (const { part, count } of ended) {
          await countJobs(options.ledger, transaction, part, { failed: count })
        }
      })
      options.invalidateBindings(solutionId, [sid])
    },
    listBinding({ solutionId }, asked, page) {
      return store.readBindings(database, makeAudience(solutionId, asked), asked, page)
    },
    send: createSend(options),
  }
}

const deletedBinding = 'its binding was deleted'

/** Stores a binding. Jobs of a binding that it replaces go to the new address. @throws Fault */
function putBinding(
  { database, clock }: NotificationOptions,
  where: Where,
  wanted: NewBinding,
): Promise<store.Put> {
  const whose = { ...where, max: limits.notificationBindingsMax }
  return database.transaction(async (transaction) => {
    const put = await store.putBinding(transaction, whose, wanted, clock.nowUs())
    if (put === undefined) {
      const most = `${limits.notificationBindingsMax} bindings`
      throw new Fault('invalid_argument', `a solution has at most ${most}`)
    }
    if (put.replaced === undefined) return put
    const moves = [{ from: put.replaced, to: wanted }]
    await moveJobs(transaction, where.solutionId, moves, rebound(clock.nowUs()))
    return put
  })
}

function unknownBinding(sid: string): Fault {
  return new Fault('not_found', `The service has no binding ${sid}.`)
}
