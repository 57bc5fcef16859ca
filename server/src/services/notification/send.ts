import { Fault, limits } from '../../kernel/index.ts'
import type { Operation, ServiceCall } from '../../scripting/index.ts'
import { type Audience, audienceOf } from './audience.ts'
import type { ChannelName, Message } from './channel.ts'
import type { Setup } from './configuration.ts'
import { newNotificationSid } from './ids.ts'
import { readSend, type SendArguments } from './message.ts'
import { countJobs, type Needs } from './needs.ts'
import { checkSize } from './payload/size.ts'
import { rehearse } from './rehearsal.ts'
import { accountSid, setupOf, targetOf, wayOf } from './setup.ts'
import { readChannels } from './store/bindings.ts'
import { expand, insertNotification } from './store/notifications.ts'
import { notificationObject, type Sent } from './wire.ts'

/**
 * Accepts a notification: once the script has its object, it and its first jobs are durable. What
 * one channel of its audience could not be told is refused before anything is kept.
 */
export function createSend(needs: Needs & { readonly wake: () => void }): Operation {
  return async (call, args) => {
    const { clock, random, wake } = needs
    const asked = readSend(args, clock.nowMs())
    const audience = audienceOf(call.solutionId, asked)
    const setup = await setupOf(needs, call.solutionId)
    if (asked.dryRun) return rehearse(needs, setup, audience, asked.message)
    for (const { channel, address } of await readChannels(needs.database, audience)) {
      refuseUnsayable(needs, setup, asked.message, channel, address)
    }
    const sent = { sid: newNotificationSid(random), ...asked }
    await accept(needs, call, audience, sent)
    wake()
    return notificationObject(sent, accountSid(setup, call.solutionId))
  }
}

/** @throws Fault invalid_argument, too_large */
function refuseUnsayable(
  needs: Needs,
  setup: Setup,
  message: Message,
  channel: ChannelName,
  address: string,
): void {
  const way = wayOf(needs, setup, channel)
  if (way === undefined) {
    throw new Fault(
      'invalid_argument',
      `the provider that is configured for ${channel} is not here`,
    )
  }
  checkSize(channel, way.channel.map(message, targetOf(setup, address)))
}

async function accept(
  needs: Needs,
  { businessId, solutionId }: ServiceCall,
  audience: Audience,
  sent: Sent & SendArguments,
): Promise<void> {
  const { database, ledger, clock } = needs
  const part = ledger.partOf(solutionId, '')
  await database.transaction(async (transaction) => {
    const nowUs = clock.nowUs()
    const kept = { ...sent, businessId, solutionId, part }
    const to = await insertNotification(transaction, kept, nowUs)
    const begin = { sid: sent.sid, part, after: 0, to }
    const most = limits.notificationExpandMax
    const { count } = await expand(transaction, audience, begin, nowUs, most)
    await countJobs(ledger, transaction, part, { taken: count })
  })
}
