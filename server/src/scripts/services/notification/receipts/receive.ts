import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../../foundation/database/index.ts'
import type { Clock } from '../../../../foundation/kernel/index.ts'
import { notificationLimits } from '../limits.ts'
import type { TimelineEvent } from '../schema.ts'
import type { Receipt } from '../sending/channel.ts'
import { addReceipt, hasProviderId, isSending } from '../store/upkeep.ts'

/**
 * Lookups of a receipt while texts are in flight: it may have overtaken the answer that names its
 * message.
 */
const notificationReceiptTriesMax = 20

/** `outdated`: an earlier receipt said as much. `unknown`: nothing was sent under its id. */
export type Received = 'taken' | 'outdated' | 'unknown'

/**
 * Writes a receipt into the timeline of what it is about, once. The state of a message only
 * advances; a message that is delivered, or has failed, stays so.
 */
export async function receive(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  solutionId: string,
  { channel, providerId, state, answer, progress }: Receipt,
): Promise<Received> {
  const nowUs = clock.nowUs()
  const event = state === 'underway' ? 'answer' : state
  const moment: TimelineEvent = { at: nowUs, event, text: answer }
  const receipt = { solutionId, channel, providerId, progress, failed: state === 'failed' }
  const added = { ...receipt, reason: answer, moment: JSON.stringify(moment) }
  const isAdded = async () => (await addReceipt(database, added, nowUs)) > 0
  if (await isAdded()) return 'taken'
  for (let tries = 1; ; tries += 1) {
    // Both are read before the next try: an answer that is stored meanwhile is found by that try.
    const mayCome = tries < notificationReceiptTriesMax && (await isSending(database, receipt))
    const isStored = await hasProviderId(database, receipt)
    if (await isAdded()) return 'taken'
    if (isStored) return 'outdated'
    // A receipt may overtake the answer to the message that it is about.
    if (!mayCome) return 'unknown'
    await pause(notificationLimits.notificationReceiptPauseMs)
  }
}
