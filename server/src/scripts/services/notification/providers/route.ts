import type { Configuration } from '../../../scripting/index.ts'
import { makeAccountSid } from '../ids.ts'
import { type NotificationOptions, serviceNames } from '../options.ts'
import type { Channel, Provider, ProviderSettings, Recipient } from '../sending/channel.ts'
import { openConfiguration, type ProviderConfiguration } from './configuration.ts'
import { sinkName } from './create.ts'

/** Opens the configuration of a solution, under either name of the service. */
export async function readProviderConfiguration(
  options: Pick<NotificationOptions, 'configurations' | 'secrets'>,
  solutionId: string,
): Promise<ProviderConfiguration> {
  return openConfiguration(
    await readStoredConfiguration(options, solutionId),
    solutionId,
    options.secrets,
  )
}

/** Returns the configuration of a solution as it is stored, secrets sealed. */
export async function readStoredConfiguration(
  { configurations }: Pick<NotificationOptions, 'configurations'>,
  solutionId: string,
): Promise<Configuration | undefined> {
  for (const name of serviceNames) {
    const [found] = await configurations.ofSolution(name, solutionId)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the `account_sid` of the objects that a solution receives. */
export function accountSid(configuration: ProviderConfiguration, solutionId: string): string {
  const { accountSid: configured } = configuration
  return configured === '' ? makeAccountSid(solutionId) : configured
}

/** The provider that a channel of a solution sends with, and its settings. */
export type ProviderRoute = {
  readonly provider: Provider
  readonly settings: ProviderSettings
  /** Attempts that may begin in a second. */
  readonly rate: number | undefined
}

/** Returns the configured provider of a channel, else the sink; undefined: it is not installed. */
export function routeFor(
  { providers }: Pick<NotificationOptions, 'providers'>,
  configuration: ProviderConfiguration,
  channel: Channel,
): ProviderRoute | undefined {
  const sink = { name: sinkName, settings: { shown: {}, secret: {} }, rate: undefined }
  const { name, settings, rate } = configuration.provider(channel) ?? sink
  const provider = providers.find((one) => one.channel === channel && one.name === name)
  return provider && { provider, settings, rate }
}

export function toRecipient(configuration: ProviderConfiguration, address: string): Recipient {
  return { address, messagingServiceSid: configuration.messagingServiceSid }
}
