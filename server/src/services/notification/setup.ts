import type { Channel, ChannelName, ProviderSettings, Target } from './channel.ts'
import { openSetup, type Setup } from './configuration.ts'
import { accountSidOf } from './ids.ts'
import { type Needs, serviceNames } from './needs.ts'
import { sinkName } from './sink.ts'

/** The configuration of a solution, under whichever name of the service it stands. */
export async function setupOf(
  { configurations, secrets }: Pick<Needs, 'configurations' | 'secrets'>,
  solutionId: string,
): Promise<Setup> {
  for (const name of serviceNames) {
    const [found] = await configurations.ofSolution(name, solutionId)
    if (found !== undefined) return openSetup(found, solutionId, secrets)
  }
  return openSetup(undefined, solutionId, secrets)
}

/** `account_sid` of what a solution is given. */
export function accountSid(setup: Setup, solutionId: string): string {
  return setup.accountSid === '' ? accountSidOf(solutionId) : setup.accountSid
}

export type Way = { readonly channel: Channel; readonly settings: ProviderSettings }

/** How notifications of a channel leave: as it is configured, else to the sink. */
export function wayOf(
  { channels }: Pick<Needs, 'channels'>,
  setup: Setup,
  name: ChannelName,
): Way | undefined {
  const { name: provider, settings } = setup.provider(name) ?? {
    name: sinkName,
    settings: { shown: {}, secret: {} },
  }
  const channel = channels.find((one) => one.name === name && one.provider === provider)
  return channel && { channel, settings }
}

export function targetOf(setup: Setup, address: string): Target {
  return { address, messagingServiceSid: setup.messagingServiceSid }
}
