import type { Needs } from '../needs.ts'
import { configurationOf, setupOf } from '../providers/setup.ts'
import { type ChannelName, channelNames } from '../sending/channel.ts'
import { readLanes } from '../store/lanes.ts'
import { sinkName } from './sink.ts'

/** How notifications of a channel leave, and what holds them up. Microseconds. */
export type ChannelState = {
  readonly channel: ChannelName
  readonly provider: string
  readonly rate_per_second: number | null
  readonly paused_until: number | null
  readonly pause_reason: string | null
  /** In words, where most answers say that the configuration is wrong. */
  readonly fault: string | null
  readonly fault_at: number | null
}

/** Of each channel of a solution. */
export async function readChannels(
  needs: Pick<Needs, 'database' | 'configurations' | 'secrets' | 'clock'>,
  businessId: string,
  solutionId: string,
): Promise<{ channels: readonly ChannelState[] }> {
  const configuration = await configurationOf(needs, solutionId)
  // Where nothing is configured nothing is held up.
  const own = configuration?.businessId === businessId
  const setup = own ? await setupOf(needs, solutionId) : undefined
  const lanes = own ? await readLanes(needs.database, solutionId) : undefined
  const nowUs = needs.clock.nowUs()
  const channels = channelNames.map((channel): ChannelState => {
    const way = setup?.provider(channel)
    const { pausedUntilUs = 0, pauseReason, fault, faultAtUs } = lanes?.get(channel) ?? {}
    const paused = pausedUntilUs > nowUs
    return {
      ...{ channel, provider: way?.name ?? sinkName, rate_per_second: way?.rate ?? null },
      paused_until: paused ? pausedUntilUs : null,
      pause_reason: paused ? (pauseReason ?? null) : null,
      ...{ fault: fault ?? null, fault_at: faultAtUs ?? null },
    }
  })
  return { channels }
}
