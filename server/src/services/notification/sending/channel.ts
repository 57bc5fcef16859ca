import type { JsonObject } from '../../../kernel/index.ts'

/** The spec's binding types, in its order. */
export const channelNames = ['apn', 'fcm', 'gcm', 'sms', 'vendor-messenger'] as const
export type ChannelName = (typeof channelNames)[number]

/** What `send` was asked to tell, before it is mapped for a channel. */
export type Message = {
  readonly body: string | undefined
  readonly title: string | undefined
  readonly sound: string | undefined
  readonly action: string | undefined
  readonly data: JsonObject | undefined
  readonly ttlS: number
  readonly priority: 'low' | 'high'
  /** Channel payloads: they add to the generic one, or override it. */
  readonly overrides: { readonly [Name in ChannelName]?: JsonObject }
  /** When `send` was accepted. */
  readonly acceptedAtMs: number
}

/** Whom a payload is for. */
export type Target = {
  readonly address: string
  /** Stands for `from` of an SMS, where that is not said. */
  readonly messagingServiceSid: string | undefined
}

/**
 * Exactly what goes to the provider: for apn the headers and the JSON body of the request to
 * `/3/device/<address>`; for fcm and gcm the body of `messages:send`, `token` in it; for sms the
 * form fields of the Messages API (a list is said once for each); for the messenger the JSON body
 * of its Send API.
 */
export type Payload = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** Of one channel, as a solution's configuration says it: `shown` to its owner, `secret` sealed. */
export type ProviderSettings = { readonly shown: JsonObject; readonly secret: JsonObject }

/** `AccountSid` and `AuthToken` of the configuration; empty where it has none. */
export type Account = { readonly sid: string; readonly authToken: string }

/** One notification for one binding. */
export type Job = {
  readonly solutionId: string
  readonly notificationSid: string
  readonly bindingSid: string
  /** A uuid, the same at every try: an id by which a provider may know a second one. */
  readonly id: string
  readonly address: string
  readonly credentialSid: string | undefined
  readonly payload: Payload
  /** Tries before this one. */
  readonly tries: number
  /** When the notification is worth nothing any more; undefined where its channel has no Ttl. */
  readonly expiresAtMs: number | undefined
  readonly account: Account
  /** What `configure` made of the configuration, opened. */
  readonly settings: ProviderSettings
  /** Where its provider may say later what became of it; undefined: it is not known. */
  readonly receiptsUrl: string | undefined
  /** Aborted when the platform closes, or the time for a try is up. */
  readonly signal: AbortSignal
}

/** The provider has it. `providerId` is what its later receipts name. */
export type Accepted = {
  readonly kind: 'accepted'
  readonly providerId?: string
  readonly answer?: string
}

/**
 * To be tried again, no sooner than the provider said. `slow`: it is not about this address, so
 * everything of the same configuration waits. `busy`: the provider takes no more for now, perhaps
 * of this address alone: this address waits, and the others if many different ones are told so.
 */
export type Retry = {
  readonly kind: 'retry'
  readonly afterMs?: number
  readonly reason: string
  readonly slow?: true
  readonly busy?: true
}

/**
 * Nobody has the address any more: the binding is removed, unless it was made or replaced after
 * `sinceMs`, the time that the provider named. `doubtful`: a wrong configuration would be told the
 * same, so it is only believed where most others are taken.
 */
export type InvalidAddress = {
  readonly kind: 'invalid_address'
  readonly reason: string
  readonly sinceMs?: number
  readonly doubtful?: true
}

/**
 * It would be refused again. `setup`: because of the configuration, whatever the address.
 * `ofAddress`: the provider says so of the address.
 */
export type Refused = {
  readonly kind: 'refused'
  readonly reason: string
  readonly setup?: true
  readonly ofAddress?: true
}

export type Outcome = Accepted | Retry | InvalidAddress | Refused

/** A way by which notifications of one channel leave. What it throws counts as a `retry`. */
export type Channel = {
  readonly name: ChannelName
  /** As a configuration names it: `Providers = {sms = {provider = "twilio", …}}`. */
  readonly provider: string
  /**
   * Checks `Providers.<name>` of a configuration, without its `provider`. Secrets that are left
   * out stay as they were: `before` is what is stored.
   * @throws Fault invalid_argument
   */
  configure(given: JsonObject, before: ProviderSettings | undefined): ProviderSettings
  /** Pure: the mapping of `payload/`, which a provider may add to. @throws Fault */
  map(message: Message, target: Target, settings: ProviderSettings): Payload
  deliver(job: Job): Promise<Outcome>
  close?(): Promise<void>
}

/** What became of a message after the provider had taken it: the status call-back of an SMS. */
export type Receipt = {
  readonly channel: ChannelName
  readonly providerId: string
  readonly state: 'delivered' | 'failed' | 'underway'
  /** How far the message has come: a receipt that says no more than another one is outdated. */
  readonly progress: number
  /** The provider's own word. */
  readonly answer: string
}
