import { Fault, limits } from '../../kernel/index.ts'
import type { JobsInFlight } from './delivery/channel-queues.ts'
import { type ChannelState, readChannels } from './delivery/channel-state.ts'
import type { JobRecord, NotificationJobState, TimelineEvent } from './delivery/job.ts'
import { isSid } from './ids.ts'
import type { NotificationOptions } from './options.ts'
import { definitions } from './payload/channels.ts'
import { countStates, readJobs, readSink } from './store/jobs.ts'
import { type Notification, readNotification, readNotifications } from './store/notifications.ts'

export type PageAsked = {
  /** The cursor of the page before. */
  readonly cursor?: number | undefined
  /** At most `limits.pageMax`. */
  readonly limit?: number | undefined
}

/** The states of notifications, for the owner of their solution. */
export type NotificationReads = {
  /** Newest first. */
  list(businessId: string, solutionId: string, asked?: PageAsked): Promise<NotificationPage>
  /** With the timelines of its first bindings, or of the next. @throws Fault not_found */
  show(
    businessId: string,
    solutionId: string,
    sid: string,
    asked?: PageAsked,
  ): Promise<NotificationTimeline>
  /** The payloads that the sink took, newest first. */
  sink(businessId: string, solutionId: string, asked?: PageAsked): Promise<SinkPage>
  /** The provider of each channel, its pause and its fault. */
  channels(businessId: string, solutionId: string): Promise<{ channels: readonly ChannelState[] }>
}

type States = { readonly [State in NotificationJobState]: number }

export type NotificationSummary = {
  readonly sid: string
  readonly service_sid: string
  readonly title: string
  readonly body: string
  readonly tags: readonly string[]
  readonly identities: readonly string[]
  /** Microseconds, as all times here. */
  readonly accepted_at: number
  /** True if every binding of its audience is counted in `states`. */
  readonly expanded: boolean
  readonly states: States
}

export type NotificationPage = {
  readonly notifications: readonly NotificationSummary[]
  readonly cursor: number | undefined
}

export type DeliveryTimeline = {
  readonly binding_sid: string
  readonly channel: string
  readonly address: string
  readonly state: NotificationJobState
  readonly tries: number
  readonly provider: string | null
  readonly provider_id: string | null
  readonly reason: string | null
  readonly timeline: readonly TimelineEvent[]
}

export type NotificationTimeline = NotificationSummary & {
  readonly deliveries: readonly DeliveryTimeline[]
  readonly cursor: number | undefined
}

export type SinkEntry = {
  readonly notification_sid: string
  readonly binding_sid: string
  readonly channel: string
  readonly address: string
  readonly at: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** The size and its limit: in bytes, or in characters of a text. */
  readonly unit: string
  readonly size: number
  readonly max: number
}

export type SinkPage = {
  readonly arrived: readonly SinkEntry[]
  readonly cursor: number | undefined
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
        service_sid: one.serviceSid,
        title: one.message.title ?? '',
        body: one.message.body ?? '',
        tags: one.tags,
        identities: one.identities,
        accepted_at: one.createdAt,
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
    async list(businessId, solutionId, { cursor = newest, limit } = {}) {
      const page = { before: cursor, count: countOf(limit) }
      const found = await readNotifications(database, businessId, solutionId, page)
      const notifications = await summaries(solutionId, found)
      return { notifications, cursor: cursorOf(found, page.count) }
    },
    async show(businessId, solutionId, sid, { cursor = 0, limit } = {}) {
      const found = isSid(sid)
        ? await readNotification(database, businessId, solutionId, sid)
        : undefined
      if (found === undefined) {
        throw new Fault('not_found', 'The solution has sent no such notification.')
      }
      const [summary] = await summaries(solutionId, [found])
      if (summary === undefined) throw new Fault('internal')
      const page = { after: cursor, count: countOf(limit) }
      const jobs = await readJobs(database, solutionId, sid, page)
      const deliveries = jobs.map((job) => {
        const name = { solutionId, channel: job.channel }
        return deliveryOf(job, job.state === 'queued' && underWay.isInFlight(name, job))
      })
      return { ...summary, deliveries, cursor: cursorOf(jobs, page.count) }
    },
    async sink(businessId, solutionId, { cursor = newest, limit } = {}) {
      const page = { before: cursor, count: countOf(limit) }
      const jobs = await readSink(database, businessId, solutionId, page)
      return { arrived: jobs.map(arrivalOf), cursor: cursorOf(jobs, page.count) }
    },
    channels: (businessId, solutionId) => readChannels(options, businessId, solutionId),
  }
}

function countOf(limit: number = limits.pageDefault): number {
  return Math.min(limit, limits.pageMax)
}

function cursorOf(page: readonly { readonly number: number }[], count: number): number | undefined {
  return page.length === count ? page.at(-1)?.number : undefined
}

function deliveryOf(job: JobRecord, isUnderWay: boolean): DeliveryTimeline {
  return {
    binding_sid: job.bindingSid,
    channel: job.channel,
    address: job.address,
    state: isUnderWay ? 'sending' : job.state,
    tries: job.tries,
    provider: job.provider ?? null,
    provider_id: job.providerId ?? null,
    reason: job.reason ?? null,
    timeline: [{ at: job.createdAt, event: 'queued' }, ...job.events],
  }
}

function arrivalOf(job: JobRecord): SinkEntry {
  const payload = job.payload ?? { headers: {}, body: {} }
  const { unit, size, max } = definitions[job.channel].size(payload.body)
  return {
    notification_sid: job.notificationSid,
    binding_sid: job.bindingSid,
    channel: job.channel,
    address: job.address,
    at: job.updatedAt,
    headers: payload.headers,
    body: payload.body,
    unit,
    size,
    max,
  }
}
