import { Fault, limits } from '../../../../foundation/kernel/index.ts'
import type { Actions, Where } from '../actions.ts'
import { isSid } from '../ids.ts'
import type { NotificationOptions } from '../options.ts'
import type { BindingsAsked, BindingsPage } from '../schema.ts'
import * as store from '../store/binding-list.ts'
import { type Binding, parseChannel } from './binding.ts'

/** The bindings of a solution, whichever their service. */
export type BindingAdmin = {
  /** Newest first. @throws Fault invalid_argument */
  list(where: Where, asked?: BindingsAsked): Promise<BindingsPage>
  /** @throws Fault not_found */
  remove(where: Where, sid: string): Promise<void>
}

export function createBindingAdmin(
  { database }: Pick<NotificationOptions, 'database'>,
  actions: Pick<Actions, 'deleteBinding'>,
): BindingAdmin {
  return {
    async list({ businessId, solutionId }, { cursor, limit, ...asked } = {}) {
      const count = Math.min(limit ?? limits.pageDefault, limits.pageMax)
      const page = { before: cursor ?? Number.MAX_SAFE_INTEGER, count }
      const { identity, tag } = asked
      const channel = asked.channel === undefined ? undefined : parseChannel(asked.channel)
      const filter = { identity, tag, channel }
      const [found, total] = await Promise.all([
        store.readNewestBindings(database, businessId, solutionId, filter, page),
        store.readBindingCount(database, solutionId),
      ])
      const next = found.length === count ? found.at(-1)?.number : undefined
      return { bindings: found.map(summarize), total, cursor: next }
    },
    async remove(where, sid) {
      const { businessId, solutionId } = where
      const service = isSid(sid)
        ? await store.readServiceOfBinding(database, businessId, solutionId, sid)
        : undefined
      if (service === undefined) {
        throw new Fault('not_found', 'The solution has no such binding.')
      }
      await actions.deleteBinding(where, service, sid)
    },
  }
}

function summarize({ credentialSid, sentAt, ...binding }: Binding) {
  return { ...binding, credentialSid: credentialSid ?? null, sentAt: sentAt ?? null }
}
