import { Fault, limits } from '../../../foundation/kernel/index.ts'
import type { Where } from './actions.ts'
import type { JobsInFlight } from './delivery/channel-queues.ts'
import { readChannels } from './delivery/channel-state.ts'
import type { JobRecord } from './delivery/job.ts'
import { isSid } from './ids.ts'
import type { NotificationOptions } from './options.ts'
import { definitions } from './payload/channels.ts'
import type {
  ChannelState,
  NotificationJobState,
  NotificationPage,
  NotificationSummary,
  NotificationTimeline,
  PageAsked,
  SinkPage,
} from './schema.ts'
import { countStates, readJobs, readSink } from './store/jobs.ts'
import { type Notification, readNotification, readNotifications } from './store/notifications.ts'

/** The states of notifications, for the owner of their solution. */
export type NotificationReads = {
  /** Newest first. */
  list(where: Where, asked?: PageAsked): Promise<NotificationPage>
  /** With the timelines of its first bindings, or of the next. @throws Fault not_found */
  show(where: Where, sid: string, asked?: PageAsked): Promise<NotificationTimeline>
  /** The payloads that the sink took, newest first. */
  sink(where: Where, asked?: PageAsked): Promise<SinkPage>
  /** The provider of each channel, its pause and its fault. */
  channels(where: Where): Promise<readonly ChannelState[]>
}

const newest = Number.MAX_SAFE_INTEGER

export function createReads(
  options: Pick<
    NotificationOptions,
    'database' | 'configurations' | 'secrets' | 'providers' | 'clock'
  >,
  underWay: JobsInFlight,
): NotificationReads {
  const { database } = options
  async function summaries(solutionId: string, notifications: readonly Notification[]) {
    const sids = notifications.map(({ sid }) => sid)
    const counted = await countStates(database, solutionId, sids)
    return notifications.map((one): NotificationSummary => {
      const of = (state: NotificationJobState) =>
        counted.find((row) => row.sid === one.sid && row.state === state)?.count ?? 0
      const sending = Math.min(of('queued'), underWay.countInFlight(solutionId, one.sid))
      return {
        sid: one.sid,
        serviceSid: one.serviceSid,
        title: one.message.title ?? '',
        body: one.message.body ?? '',
        tags: one.tags,
        identities: one.identities,
        acceptedAt: one.createdAt,
        expanded: one.expanded,
        states: {
          queued: of('queued') - sending,
          sending,
          sent: of('sent'),
          failed: of('failed'),
          pruned: of('pruned'),
        },
      }
    })
  }

  return {
    async list({ businessId, solutionId }, { cursor = newest, limit } = {}) {
      const page = { before: cursor, count: boundCount(limit) }
      const found = await readNotifications(database, businessId, solutionId, page)
      const notifications = await summaries(solutionId, found)
      return { notifications, cursor: nextCursor(found, page.count) }
    },
    async show({ businessId, solutionId }, sid, { cursor = 0, limit } = {}) {
      const found = isSid(sid)
        ? await readNotification(database, businessId, solutionId, sid)
        : undefined
      if (found === undefined) {
        throw new Fault('not_found', 'The solution has sent no such notification.')
      }
      const [summary] = await summaries(solutionId, [found])
      if (summary === undefined) throw new Fault('internal')
      const page = { after: cursor, count: boundCount(limit) }
      const jobs = await readJobs(database, solutionId, sid, page)
      const deliveries = jobs.map((job) => {
        const name = { solutionId, channel: job.channel }
        return toDelivery(job, job.state === 'queued' && underWay.isInFlight(name, job))
      })
      return { ...summary, deliveries, cursor: nextCursor(jobs, page.count) }
    },
    async sink({ businessId, solutionId }, { cursor = newest, limit } = {}) {
      const page = { before: cursor, count: boundCount(limit) }
      const jobs = await readSink(database, businessId, solutionId, page)
      return { arrived: jobs.map(toArrival), cursor: nextCursor(jobs, page.count) }
    },
    channels: (where) => readChannels(options, where),
  }
}

function boundCount(limit: number = limits.pageDefault): number {
  return Math.min(limit, limits.pageMax)
}

function nextCursor(
  page: readonly { readonly number: number }[],
  count: number,
): number | undefined {
  return page.length === count ? page.at(-1)?.number : undefined
}

function toDelivery({ createdAt, events, ...job }: JobRecord, isUnderWay: boolean) {
  const state = isUnderWay ? 'sending' : job.state
  return { ...job, state, timeline: [{ at: createdAt, event: 'queued' }, ...events] } as const
}

function toArrival({ updatedAt: at, payload, ...job }: JobRecord) {
  const { headers = {}, body = {} } = payload ?? {}
  return { ...job, at, headers, body, ...definitions[job.channel].size(body) }
}
