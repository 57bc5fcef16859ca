import type { Where } from '../actions.ts'
import type { NotificationOptions } from '../options.ts'
import { sinkName } from '../providers/create.ts'
import { readProviderConfiguration, readStoredConfiguration } from '../providers/route.ts'
import type { ChannelState } from '../schema.ts'
import { channels } from '../sending/channel.ts'
import { readQueueStates } from '../store/queues.ts'

/** Returns the state of each channel of a solution. */
export async function readChannels(
  options: Pick<NotificationOptions, 'database' | 'configurations' | 'secrets' | 'clock'>,
  { businessId, solutionId }: Where,
): Promise<readonly ChannelState[]> {
  const stored = await readStoredConfiguration(options, solutionId)
  // Without a configuration there is only the sink, which never pauses.
  const own = stored?.businessId === businessId
  const configuration = own ? await readProviderConfiguration(options, solutionId) : undefined
  const queues = own ? await readQueueStates(options.database, solutionId) : undefined
  const nowUs = options.clock.nowUs()
  return channels.map((channel): ChannelState => {
    const provider = configuration?.provider(channel)
    const { pausedUntilUs = 0, pauseReason, fault, faultAtUs } = queues?.get(channel) ?? {}
    const paused = pausedUntilUs > nowUs
    return {
      channel,
      provider: provider?.name ?? sinkName,
      ratePerSecond: provider?.rate ?? null,
      pausedUntil: paused ? pausedUntilUs : null,
      pauseReason: paused ? (pauseReason ?? null) : null,
      fault: fault ?? null,
      faultAt: faultAtUs ?? null,
    }
  })
}
