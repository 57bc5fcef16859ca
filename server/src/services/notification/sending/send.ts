import { Fault, limits } from '../../../kernel/index.ts'
import type { ServiceCall } from '../../../scripting/index.ts'
import { type Audience, audienceOf } from '../bindings/audience.ts'
import { newBindingSid, newNotificationSid } from '../ids.ts'
import { countJobs, type Needs } from '../needs.ts'
import { checkSize } from '../payload/size.ts'
import type { ProviderConfiguration } from '../providers/configuration.ts'
import { routeOf, setupOf, targetOf } from '../providers/setup.ts'
import { holdBindings, readChannels } from '../store/bindings.ts'
import { expand, insertDirect, insertNotification } from '../store/notifications.ts'
import type { Sent } from '../wire.ts'
import type { ChannelName, Message } from './channel.ts'
import type { SendArguments } from './message.ts'

/**
 * Accepts a notification: once it is answered, it and its first jobs are durable. What one channel
 * of its audience could not be told is refused before anything is kept.
 */
export type Send = (
  where: Pick<ServiceCall, 'businessId' | 'solutionId'>,
  asked: SendArguments,
) => Promise<Sent>

export function createSend(needs: Needs & { readonly wake: () => void }): Send {
  return async (where, asked) => {
    const { database, random, wake } = needs
    const audience = audienceOf(where.solutionId, asked)
    const setup = await setupOf(needs, where.solutionId)
    const reached = asked.direct.length > 0 ? asked.direct : await readChannels(database, audience)
    const channels = new Map(reached.map(({ channel, address }) => [channel, address]))
    for (const [channel, address] of channels) {
      refuseUnsayable(needs, setup, asked.message, channel, address)
    }
    const sent = { sid: newNotificationSid(random), ...asked }
    await accept(needs, where, audience, sent)
    wake()
    return sent
  }
}

/** @throws Fault invalid_argument, too_large */
function refuseUnsayable(
  needs: Needs,
  setup: ProviderConfiguration,
  message: Message,
  channel: ChannelName,
  address: string,
): void {
  const way = routeOf(needs, setup, channel)
  if (way === undefined) {
    throw new Fault(
      'invalid_argument',
      `the provider that is configured for ${channel} is not here`,
    )
  }
  checkSize(channel, way.channel.map(message, targetOf(setup, address), way.settings))
}

async function accept(
  needs: Needs,
  { businessId, solutionId }: Parameters<Send>[0],
  audience: Audience,
  sent: Sent & SendArguments,
): Promise<void> {
  const { database, ledger, clock, random } = needs
  const part = ledger.partOf(solutionId, '')
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
    await holdBindings(transaction, solutionId)
    const most = limits.notificationExpandMax
    const { count } = await expand(transaction, audience, begin, nowUs, most)
    return countJobs(ledger, transaction, part, { taken: count })
  })
}
