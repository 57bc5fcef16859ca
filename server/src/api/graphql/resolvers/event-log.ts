import { Fault, limits, toIso } from '../../../foundation/kernel/index.ts'
import { type LoggedEvent, levelName } from '../../../insight/assets/index.ts'
import { type AuditEntry, readsAudit } from '../../../people/accounts/index.ts'
import type { Context } from '../context.ts'
import type { LogFilters, Resolvers } from '../generated/resolvers.ts'
import { parseLevels, toPage } from '../inputs.ts'

const usPerMs = 1_000
const auditCategory = 'audit'

export const eventLogResolvers = {
  Query: {
    async logs(_, { filters, pagination }, context) {
      const { limit, offset } = toPage(pagination)
      if (limit + offset > limits.pageMax) {
        const sentence = `limit and offset together are at most ${limits.pageMax}.`
        throw new Fault('invalid_argument', sentence)
      }
      // Each kind is read from its beginning: which entries of it the page has is not known before.
      const [events, changes] = await Promise.all([
        readEvents(context, filters ?? {}, limit + offset),
        readChanges(context, filters ?? {}, limit + offset),
      ])
      const all = [...events, ...changes].sort((a, b) => b.timestamp - a.timestamp)
      const found = all.slice(offset, offset + limit)
      return found
    },
  },

  EventLog: {
    asset: ({ assetId }, _, { loaders }) => (assetId === null ? null : loaders.asset(assetId)),
    user: ({ subject }, _, { loaders }) => loaders.loadUser(subject),
  },
} satisfies Resolvers

async function readEvents(context: Context, filters: LogFilters, limit: number) {
  const { asset_id: assetId, level, category, from, to } = filters
  if (category === auditCategory) return []
  const filter = { assetId, levels: parseLevels(level), category, from, to }
  const found = await context.assets.eventLog(context.principal.view, filter, { limit })
  return found.map(shownEvent)
}

function shownEvent({ id, at, assetId, name, category, ...event }: LoggedEvent) {
  const { ruleId, signalId, previous, type = null, value = null, ts } = event
  return {
    id: `status-${id}`,
    timestamp: at,
    level: name as string,
    category,
    assetId: assetId as string | null,
    subject: null as string | null,
    template_parameters: {
      ruleId,
      signalId,
      previous: levelName(previous),
      type,
      value,
      time: toIso(ts),
    } as unknown,
  }
}

async function readChanges(context: Context, filters: LogFilters, limit: number) {
  const { accounts, principal } = context
  const { asset_id: assetId, level, category, from, to } = filters
  if (!readsAudit(principal) || assetId != null || limit === 0) return []
  if (category != null && category !== auditCategory) return []
  const levels = level?.map((one) => one?.toLowerCase())
  const isAsked = (one: string) => levels === undefined || levels.includes(one)
  const outcome = isAsked('info') && !isAsked('warning') ? 'done' : undefined
  if (!isAsked('info') && !isAsked('warning')) return []
  const times = {
    from: from == null ? undefined : Math.ceil(from / usPerMs),
    to: to == null ? undefined : Math.ceil(to / usPerMs),
  }
  const found = await accounts.listAudit(principal, { ...times, outcome }, limit)
  return found.map(shownChange).filter(({ level: one }) => isAsked(one))
}

function shownChange({ id, at, subject, ...entry }: AuditEntry) {
  return {
    id: `audit-${id}`,
    timestamp: at * usPerMs,
    level: entry.outcome === 'done' ? 'info' : 'warning',
    category: auditCategory,
    assetId: null as string | null,
    subject: subject as string | null,
    template_parameters: entry as unknown,
  }
}
