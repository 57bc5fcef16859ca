import type { NotificationOptions } from '../options.ts'
import { sinkName } from '../providers/create.ts'
import { readProviderConfiguration, readStoredConfiguration } from '../providers/route.ts'
import { type Channel, channels } from '../sending/channel.ts'
import { readQueueStates } from '../store/queues.ts'

/** The provider of a channel, its pause and its fault. Times in microseconds. */
export type ChannelState = {
  readonly channel: Channel
  readonly provider: string
  readonly rate_per_second: number | null
  readonly paused_until: number | null
  readonly pause_reason: string | null
  /** In words, if most answers point at a wrong configuration. */
  readonly fault: string | null
  readonly fault_at: number | null
}

/** Returns the state of each channel of a solution. */
export async function readChannels(
  options: Pick<NotificationOptions, 'database' | 'configurations' | 'secrets' | 'clock'>,
  businessId: string,
  solutionId: string,
): Promise<{ channels: readonly ChannelState[] }> {
  const stored = await readStoredConfiguration(options, solutionId)
  // Without a configuration there is only the sink, which never pauses.
  const own = stored?.businessId === businessId
  const configuration = own ? await readProviderConfiguration(options, solutionId) : undefined
  const queues = own ? await readQueueStates(options.database, solutionId) : undefined
  const nowUs = options.clock.nowUs()
  const states = channels.map((channel): ChannelState => {
    const provider = configuration?.provider(channel)
    const { pausedUntilUs = 0, pauseReason, fault, faultAtUs } = queues?.get(channel) ?? {}
    const paused = pausedUntilUs > nowUs
    return {
      channel,
      provider: provider?.name ?? sinkName,
      rate_per_second: provider?.rate ?? null,
      paused_until: paused ? pausedUntilUs : null,
      pause_reason: paused ? (pauseReason ?? null) : null,
      fault: fault ?? null,
      fault_at: faultAtUs ?? null,
    }
  })
  return { channels: states }
}
