import {
  Fault,
  invalidField,
  isJsonObject,
  type JsonObject,
  limits,
  parseOwnJson,
} from '../../../../foundation/kernel/index.ts'
import type {
  Configuration,
  ConfiguredService,
  ConfigureInput,
  ServiceSecrets,
} from '../../../scripting/index.ts'
import { notificationLimits } from '../limits.ts'
import {
  type Account,
  type Channel,
  channels,
  type Provider,
  type ProviderSettings,
} from '../sending/channel.ts'
import { parseAccount } from './contract.ts'
import { pickTexts } from './settings.ts'

/** A solution's configuration of the service, opened. */
export type ProviderConfiguration = {
  /** Empty if none is configured. */
  readonly accountSid: string
  readonly messagingServiceSid: string | undefined
  /** The only service that the account opens over HTTP; empty: it opens all of them. */
  readonly serviceSid: string
  /** @throws Fault secret_unreadable */
  account(): Account
  /** Changes with each change of the configuration. */
  readonly version: string
  /** Returns the provider that is configured for a channel, undefined if there is none. */
  provider(channel: Channel): ConfiguredProvider | undefined
}

type ConfiguredProvider = {
  readonly name: string
  readonly settings: ProviderSettings
  /** Attempts that may begin in a second. */
  readonly rate: number | undefined
}

const accountFields = ['AccountSid', 'AuthToken', 'MessagingServiceSid', 'ServiceSid']
const fields = [...accountFields, 'AuthTokenSet', 'Providers', 'triggers']
const isOfAccount = (field: string) => accountFields.includes(field)

function sealContext(solutionId: string, what: string): string {
  return `services/notification/${solutionId}/${what}`
}

type ConfigureOptions = {
  /** The service's name under which the configuration is stored. */
  readonly name: string
  readonly secrets: ServiceSecrets
  readonly providers: readonly Provider[]
}

/**
 * Checks a configuration and seals its secrets. A field that is left out stays as it was; null or
 * "" removes it. @throws Fault invalid_argument
 */
export function configure(
  { solutionId, before, body }: ConfigureInput,
  { name, secrets, providers: installed }: ConfigureOptions,
): ConfiguredService {
  const given = parseSettings(body)
  const old = openConfiguration(before, solutionId, secrets)
  const { AccountSid, AuthToken, MessagingServiceSid, ServiceSid } = parseAccount(
    Object.fromEntries(Object.entries(given).filter(([name]) => isOfAccount(name))),
  )
  const providers = readProviders(given.Providers, old, installed)
  // The token is sent to the base URL: who names another one gives the token again.
  const isSame = twilioBase(old.provider('sms')) === twilioBase(providers.get('sms'))
  const token = changed(AuthToken, isSame ? old.account().authToken : '')
  const shown = [...providers].map(([channel, { name, settings, rate }]) => {
    const limit = rate === undefined ? {} : { RatePerSecond: rate }
    return [channel, { ...settings.shown, provider: name, ...limit }] as const
  })
  const secret = [...providers].map(
    ([channel, { settings }]) => [channel, settings.secret] as const,
  )
  const parameters = {
    AccountSid: changed(AccountSid, old.accountSid),
    AuthTokenSet: token !== '',
    MessagingServiceSid: changed(MessagingServiceSid, old.messagingServiceSid ?? ''),
    ServiceSid: changed(ServiceSid, old.serviceSid),
    Providers: Object.fromEntries(shown),
  }
  const hidden = {
    ...(token === ''
      ? {}
      : { AuthToken: secrets.seal(token, sealContext(solutionId, 'AuthToken')) }),
    ...(secret.length === 0 ? {} : { Providers: sealedProviders() }),
  }
  function sealedProviders(): string {
    const text = JSON.stringify(Object.fromEntries(secret))
    return secrets.seal(text, sealContext(solutionId, 'Providers'))
  }
  return { alias: name, parameters, hidden }
}

/**
 * The address to which messages of the account go that is set beside the providers; undefined: the
 * usual URL.
 */
function twilioBase(provider: ConfiguredProvider | undefined): string | undefined {
  return provider?.name === 'twilio' ? pickTexts(provider.settings.shown).BaseUrl : undefined
}

/** @throws Fault invalid_argument */
function parseSettings({
  parameters = {},
  ...body
}: ConfigureInput['body']): ConfigureInput['body'] {
  if (!isJsonObject(parameters)) throw new Fault('invalid_argument', 'parameters must be an object')
  const settings: ConfigureInput['body'] = { ...parameters, ...body }
  const unknown = Object.keys(settings).find((field) => !fields.includes(field))
  if (unknown === undefined) return settings
  const named = JSON.stringify(unknown.slice(0, limits.nameCharsMax))
  throw new Fault('invalid_argument', `The notification service has no setting ${named}.`)
}

/** A value that is left out stays; null removes. */
function changed(given: string | null | undefined, before: string): string {
  return given === undefined ? before : (given ?? '')
}

type Providers = Map<Channel, ConfiguredProvider>

function readProviders(
  given: unknown,
  old: ProviderConfiguration,
  installed: readonly Provider[],
): Providers {
  const fields = given ?? {}
  if (!isJsonObject(fields)) throw new Fault('invalid_argument', 'Providers must be an object')
  const unknown = Object.keys(fields).find((name) => !channels.some((one) => one === name))
  if (unknown !== undefined) {
    const text = `Providers.${unknown.slice(0, 40)} is none of ${channels.join(', ')}`
    throw new Fault('invalid_argument', text)
  }
  const providers: Providers = new Map()
  for (const channel of channels) {
    const before = old.provider(channel)
    const one = fields[channel]
    if (one === undefined && before !== undefined) providers.set(channel, before)
    if (one !== undefined && one !== null) {
      providers.set(channel, readProvider(channel, one, before, installed))
    }
  }
  return providers
}

function readProvider(
  channel: Channel,
  given: unknown,
  before: ConfiguredProvider | undefined,
  installed: readonly Provider[],
): ConfiguredProvider {
  const { provider: name, RatePerSecond, ...rest } = isJsonObject(given) ? given : {}
  const found = installed.find((one) => one.channel === channel && one.name === name)
  if (found === undefined) {
    const known = installed.filter((one) => one.channel === channel).map((one) => one.name)
    const text = `Providers.${channel} must be an object with a provider: ${known.join(', ')}`
    throw new Fault('invalid_argument', text)
  }
  const same = before?.name === found.name ? before.settings : undefined
  const rate = readRate(channel, RatePerSecond)
  return { name: found.name, settings: found.configure(rest, same), rate }
}

function readRate(channel: Channel, given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined
  const { notificationRatePerSecondMin: min, notificationRatePerSecondMax: max } =
    notificationLimits
  if (typeof given === 'number' && given >= min && given <= max) return given
  const rule = `must be a number from ${min} to ${max}`
  throw invalidField(`Providers.${channel}.RatePerSecond`, rule)
}

/** Opens a stored configuration; a secret is decrypted when it is read. */
export function openConfiguration(
  configuration: Configuration | undefined,
  solutionId: string,
  secrets: ServiceSecrets,
): ProviderConfiguration {
  const { parameters = {}, hidden = {} } = configuration ?? {}
  const open = (field: string): string => {
    const sealed = hidden[field]
    return typeof sealed === 'string' ? secrets.open(sealed, sealContext(solutionId, field)) : ''
  }
  const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '')
  const accountSid = textOrEmpty(parameters.AccountSid)
  return {
    accountSid,
    account: () => ({ sid: accountSid, authToken: open('AuthToken') }),
    messagingServiceSid: textOrEmpty(parameters.MessagingServiceSid) || undefined,
    serviceSid: textOrEmpty(parameters.ServiceSid),
    version: `${configuration?.id ?? ''} ${configuration?.updatedAt ?? ''}`,
    provider(channel) {
      const all = parameters.Providers as Readonly<Record<string, JsonObject>> | undefined
      const { provider: name, RatePerSecond, ...shown } = all?.[channel] ?? {}
      if (typeof name !== 'string') return undefined
      const secrets = parseOwnJson<Readonly<Record<string, JsonObject>>>(open('Providers') || '{}')
      const rate = typeof RatePerSecond === 'number' ? RatePerSecond : undefined
      return { name, settings: { shown, secret: secrets[channel] ?? {} }, rate }
    },
  }
}
