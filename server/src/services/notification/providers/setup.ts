import type { Configuration } from '../../../scripting/index.ts'
import { sinkName } from '../delivery/sink.ts'
import { accountSidOf } from '../ids.ts'
import { type Needs, serviceNames } from '../needs.ts'
import type { Channel, ChannelName, ProviderSettings, Target } from '../sending/channel.ts'
import { openSetup, type ProviderConfiguration } from './configuration.ts'

/** The configuration of a solution, under whichever name of the service it stands. */
export async function setupOf(
  needs: Pick<Needs, 'configurations' | 'secrets'>,
  solutionId: string,
): Promise<ProviderConfiguration> {
  return openSetup(await configurationOf(needs, solutionId), solutionId, needs.secrets)
}

export async function configurationOf(
  { configurations }: Pick<Needs, 'configurations'>,
  solutionId: string,
): Promise<Configuration | undefined> {
  for (const name of serviceNames) {
    const [found] = await configurations.ofSolution(name, solutionId)
    if (found !== undefined) return found
  }
  return undefined
}

/** `account_sid` of what a solution is given. */
export function accountSid(setup: ProviderConfiguration, solutionId: string): string {
  return setup.accountSid === '' ? accountSidOf(solutionId) : setup.accountSid
}

export type ProviderRoute = {
  readonly channel: Channel
  readonly settings: ProviderSettings
  /** Tries that may begin in a second. */
  readonly rate: number | undefined
}

/** How notifications of a channel leave: as it is configured, else to the sink. */
export function routeOf(
  { channels }: Pick<Needs, 'channels'>,
  setup: ProviderConfiguration,
  name: ChannelName,
): ProviderRoute | undefined {
  const nowhere = { name: sinkName, settings: { shown: {}, secret: {} }, rate: undefined }
  const { name: provider, settings, rate } = setup.provider(name) ?? nowhere
  const channel = channels.find((one) => one.name === name && one.provider === provider)
  return channel && { channel, settings, rate }
}

export function targetOf(setup: ProviderConfiguration, address: string): Target {
  return { address, messagingServiceSid: setup.messagingServiceSid }
}
