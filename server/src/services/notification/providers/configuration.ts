import { Fault, isJsonObject, type JsonObject, limits } from '../../../kernel/index.ts'
import type { Configuration, Configured, ConfigureInput } from '../../../scripting/index.ts'
import { isSid } from '../ids.ts'
import {
  type Account,
  type Channel,
  type ChannelName,
  channelNames,
  type ProviderSettings,
} from '../sending/channel.ts'

/** Encryption with the key of the instance; `context` says what it is, and whose. */
export type Secrets = {
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
}

/** What a solution's configuration gives to its notifications. */
export type ProviderConfiguration = {
  /** Empty where none is configured. */
  readonly accountSid: string
  readonly messagingServiceSid: string | undefined
  /** The one service that the account is for, over HTTP; empty where it is for any. */
  readonly serviceSid: string
  /** @throws Fault secret_unreadable */
  account(): Account
  /** Another one after each change of the configuration. */
  readonly version: string
  /** How a channel's notifications leave; undefined where it is not configured. */
  provider(channel: ChannelName): Provider | undefined
}

type Provider = {
  readonly name: string
  readonly settings: ProviderSettings
  /** Tries that may begin in a second. */
  readonly rate: number | undefined
}

const shownFields = [
  ...['AccountSid', 'AuthTokenSet', 'MessagingServiceSid', 'ServiceSid', 'Providers'],
]
const fields = [...shownFields, 'AuthToken', 'triggers']

function contextOf(solutionId: string, what: string): string {
  return `services/notification/${solutionId}/${what}`
}

/**
 * Checks and seals what a configuration says. A field that is left out stays as it was; null or ""
 * takes it away. @throws Fault invalid_argument
 */
export function configure(
  { solutionId, before, body }: ConfigureInput,
  { name, secrets, channels }: { name: string; secrets: Secrets; channels: readonly Channel[] },
): Configured {
  const given = settingsOf(body)
  const old = openSetup(before, solutionId, secrets)
  const token = given.AuthToken === undefined ? old.account().authToken : tokenOf(given.AuthToken)
  const providers = providersOf(given.Providers, old, channels)
  const shown = [...providers].map(([channel, { name, settings, rate }]) => {
    const pace = rate === undefined ? {} : { RatePerSecond: rate }
    return [channel, { ...settings.shown, provider: name, ...pace }] as const
  })
  const secret = [...providers].map(
    ([channel, { settings }]) => [channel, settings.secret] as const,
  )
  const parameters = {
    AccountSid: sidField('AccountSid', given.AccountSid, old.accountSid),
    AuthTokenSet: token !== '',
    MessagingServiceSid: sidField(
      'MessagingServiceSid',
      given.MessagingServiceSid,
      old.messagingServiceSid ?? '',
    ),
    ServiceSid: sidField('ServiceSid', given.ServiceSid, old.serviceSid),
    Providers: Object.fromEntries(shown),
  }
  const hidden = {
    ...(token === '' ? {} : { AuthToken: secrets.seal(token, contextOf(solutionId, 'AuthToken')) }),
    ...(secret.length === 0 ? {} : { Providers: sealedProviders() }),
  }
  function sealedProviders(): string {
    const text = JSON.stringify(Object.fromEntries(secret))
    return secrets.seal(text, contextOf(solutionId, 'Providers'))
  }
  return { alias: name, parameters, hidden }
}

/** @throws Fault invalid_argument */
function settingsOf({ parameters = {}, ...body }: ConfigureInput['body']): ConfigureInput['body'] {
  if (!isJsonObject(parameters)) throw new Fault('invalid_argument', 'parameters must be an object')
  const settings: ConfigureInput['body'] = { ...parameters, ...body }
  const stranger = Object.keys(settings).find((field) => !fields.includes(field))
  if (stranger === undefined) return settings
  const named = JSON.stringify(stranger.slice(0, limits.nameCharsMax))
  throw new Fault('invalid_argument', `The notification service has no setting ${named}.`)
}

/** The spec's pattern: 34 letters and digits, or nothing. */
function sidField(field: string, given: unknown, before: string): string {
  if (given === undefined) return before
  if (given === null || given === '') return ''
  if (isSid(given)) return given
  throw new Fault('invalid_argument', `${field} must be 34 letters and digits, or empty`)
}

function tokenOf(given: unknown): string {
  if (given === null) return ''
  if (typeof given === 'string' && given.length <= limits.notificationNameCharsMax) return given
  const most = `a string of at most ${limits.notificationNameCharsMax} characters`
  throw new Fault('invalid_argument', `AuthToken must be ${most}`)
}

type Providers = Map<ChannelName, Provider>

function providersOf(
  given: unknown,
  old: ProviderConfiguration,
  channels: readonly Channel[],
): Providers {
  const said = given ?? {}
  if (!isJsonObject(said)) throw new Fault('invalid_argument', 'Providers must be an object')
  const stranger = Object.keys(said).find((name) => !channelNames.some((one) => one === name))
  if (stranger !== undefined) {
    const what = `Providers.${stranger.slice(0, 40)} is none of ${channelNames.join(', ')}`
    throw new Fault('invalid_argument', what)
  }
  const providers: Providers = new Map()
  for (const channel of channelNames) {
    const before = old.provider(channel)
    const one = said[channel]
    if (one === undefined && before !== undefined) providers.set(channel, before)
    if (one !== undefined && one !== null) {
      providers.set(channel, providerOf(channel, one, before, channels))
    }
  }
  return providers
}

function providerOf(
  channel: ChannelName,
  given: unknown,
  before: Provider | undefined,
  channels: readonly Channel[],
): Provider {
  const { provider: name, RatePerSecond, ...rest } = isJsonObject(given) ? given : {}
  const found = channels.find((one) => one.name === channel && one.provider === name)
  if (found === undefined) {
    const known = channels.filter((one) => one.name === channel).map((one) => one.provider)
    const what = `Providers.${channel} must be an object with a provider: ${known.join(', ')}`
    throw new Fault('invalid_argument', what)
  }
  const same = before?.name === found.provider ? before.settings : undefined
  const rate = rateOf(channel, RatePerSecond)
  return { name: found.provider, settings: found.configure(rest, same), rate }
}

function rateOf(channel: ChannelName, given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined
  const { notificationRatePerSecondMin: min, notificationRatePerSecondMax: max } = limits
  if (typeof given === 'number' && given >= min && given <= max) return given
  const rule = `RatePerSecond must be a number from ${min} to ${max}`
  throw new Fault('invalid_argument', `Providers.${channel}: ${rule}`)
}

/** Secrets are opened when they are asked for. */
export function openSetup(
  configuration: Configuration | undefined,
  solutionId: string,
  secrets: Secrets,
): ProviderConfiguration {
  const { parameters = {}, hidden = {} } = configuration ?? {}
  const open = (field: string): string => {
    const sealed = hidden[field]
    return typeof sealed === 'string' ? secrets.open(sealed, contextOf(solutionId, field)) : ''
  }
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
  const accountSid = textOf(parameters.AccountSid)
  return {
    accountSid,
    account: () => ({ sid: accountSid, authToken: open('AuthToken') }),
    messagingServiceSid: textOf(parameters.MessagingServiceSid) || undefined,
    serviceSid: textOf(parameters.ServiceSid),
    version: `${configuration?.id ?? ''} ${configuration?.updatedAt ?? ''}`,
    provider(channel) {
      const all = parameters.Providers as Readonly<Record<string, JsonObject>> | undefined
      const { provider: name, RatePerSecond, ...shown } = all?.[channel] ?? {}
      if (typeof name !== 'string') return undefined
      const secrets = JSON.parse(open('Providers') || '{}') as Readonly<Record<string, JsonObject>>
      const rate = typeof RatePerSecond === 'number' ? RatePerSecond : undefined
      return { name, settings: { shown, secret: secrets[channel] ?? {} }, rate }
    },
  }
}
