import { Fault, measure } from '../../../../foundation/kernel/index.ts'
import type { ServiceCall } from '../../../scripting/index.ts'
import { type Audience, makeAudience } from '../bindings/audience.ts'
import { newBindingSid, newNotificationSid } from '../ids.ts'
import { notificationLimits } from '../limits.ts'
import { countJobs, type NotificationOptions } from '../options.ts'
import { checkSize } from '../payload/channels.ts'
import type { ProviderConfiguration } from '../providers/configuration.ts'
import { readProviderConfiguration, routeFor, toRecipient } from '../providers/route.ts'
import { lockBindings, readChannels } from '../store/bindings.ts'
import { expand, insertDirect, insertNotification } from '../store/notifications.ts'
import type { Sent } from '../wire.ts'
import type { Channel, Message } from './channel.ts'
import type { SendRequest } from './message.ts'

/**
 * Accepts a notification: once it returns, the notification and its first jobs are durable. Rejects
 * a message that is invalid for one channel of its audience before anything is stored. `partly`:
 * rejects it only if it is invalid for all; else the jobs of the invalid channels fail.
 */
export type Send = (
  where: Pick<ServiceCall, 'businessId' | 'solutionId'> & { readonly trackingId?: string },
  asked: SendRequest,
  partly?: boolean,
) => Promise<Sent>

export function createSend(options: NotificationOptions & { readonly wake: () => void }): Send {
  return async (where, asked, partly = false) => {
    const { random, wake } = options
    const { solutionId, trackingId } = where
    const audience = makeAudience(solutionId, asked)
    const { refusals, valid } = await checkChannels(options, solutionId, asked)
    const [refusal] = refusals
    if (refusal !== undefined && (!partly || valid === 0)) throw refusal
    const message = trackingId === undefined ? asked.message : { ...asked.message, trackingId }
    const sent = { sid: newNotificationSid(random), ...asked, message }
    await accept(options, where, audience, sent)
    measure('notification', () => ({ solutionId, notification: sent.sid, trackingId }))
    wake()
    return sent
  }
}

/** Finds the channels of an audience for which a message is invalid, each with its refusal. */
export async function checkChannels(
  options: NotificationOptions,
  solutionId: string,
  asked: SendRequest,
): Promise<{ readonly refusals: readonly Fault[]; readonly valid: number }> {
  const { direct, message } = asked
  const configuration = await readProviderConfiguration(options, solutionId)
  const audience = makeAudience(solutionId, asked)
  const reached = direct.length > 0 ? direct : await readChannels(options.database, audience)
  const channels = new Map(reached.map(({ channel, address }) => [channel, address]))
  const refusals = [...channels].flatMap(([channel, address]) => {
    try {
      rejectInvalid(options, configuration, message, channel, address)
      return []
    } catch (error) {
      if (error instanceof Fault) return [error]
      throw error
    }
  })
  return { refusals, valid: channels.size - refusals.length }
}

/** @throws Fault invalid_argument, too_large */
function rejectInvalid(
  options: NotificationOptions,
  configuration: ProviderConfiguration,
  message: Message,
  channel: Channel,
  address: string,
): void {
  const route = routeFor(options, configuration, channel)
  if (route === undefined) {
    throw new Fault(
      'invalid_argument',
      `the provider that is configured for ${channel} is not here`,
    )
  }
  checkSize(
    channel,
    route.provider.map(message, toRecipient(configuration, address), route.settings),
  )
}

async function accept(
  options: NotificationOptions,
  { businessId, solutionId }: Parameters<Send>[0],
  audience: Audience,
  sent: Sent & SendRequest,
): Promise<void> {
  const { database, ledger, clock, random } = options
  const part = ledger.partitionFor(solutionId, '')
  await database.transaction(async (transaction) => {
    const nowUs = clock.nowUs()
    const kept = { ...sent, businessId, solutionId, part }
    const to = await insertNotification(transaction, kept, nowUs)
    if (sent.direct.length > 0) {
      const jobs = sent.direct.map((one) => ({ ...one, bindingSid: newBindingSid(random) }))
      await insertDirect(transaction, kept, jobs, nowUs)
      return countJobs(ledger, transaction, part, { taken: jobs.length })
    }
    const begin = { sid: sent.sid, part, after: 0, to, once: sent.message.ttlS === 0 }
    await lockBindings(transaction, [solutionId])
    const most = notificationLimits.notificationExpandMax
    const { count } = await expand(transaction, audience, begin, nowUs, most)
    return countJobs(ledger, transaction, part, { taken: count })
  })
}
