import type { JsonObject, TObject } from '../../../../foundation/kernel/index.ts'

/** The spec's binding types, in its order. */
export const channels = ['apn', 'fcm', 'gcm', 'sms', 'vendor-messenger'] as const
export type Channel = (typeof channels)[number]

/** The arguments of `send` that are mapped to each channel's payload. */
export type Message = {
  readonly body: string | undefined
  readonly title: string | undefined
  readonly sound: string | undefined
  readonly action: string | undefined
  readonly data: JsonObject | undefined
  readonly ttlS: number
  readonly priority: 'low' | 'high'
  /** Channel payloads: they add to the generic one, or override it. */
  readonly overrides: { readonly [Name in Channel]?: JsonObject }
  /** When `send` was accepted. */
  readonly acceptedAtMs: number
  /** The tracking id of the call that sent it, for logs and traces. */
  readonly trackingId?: string
}

/** The recipient of a payload. */
export type Recipient = {
  readonly address: string
  /** The sender of an SMS without `from`. */
  readonly messagingServiceSid: string | undefined
}

/**
 * Exactly what goes to the provider: for apn the headers and the JSON body of the request to
 * `/3/device/<address>`; for fcm and gcm the body of `messages:send`, `token` in it; for sms the
 * form fields of the Messages API (a list becomes repeated fields); for the messenger the JSON body
 * of its Send API.
 */
export type Payload = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** A solution's settings of one provider: `shown` to its owner, `secret` sealed. */
export type ProviderSettings = { readonly shown: JsonObject; readonly secret: JsonObject }

/** `AccountSid` and `AuthToken` of the configuration; empty where it has none. */
export type Account = { readonly sid: string; readonly authToken: string }

/** A notification for one binding. */
export type NotificationJob = {
  readonly solutionId: string
  readonly notificationSid: string
  readonly bindingSid: string
  /** A uuid, the same at every attempt: a provider can deduplicate by it. */
  readonly id: string
  readonly address: string
  readonly credentialSid: string | undefined
  readonly payload: Payload
  /** Attempts before this one. */
  readonly attempts: number
  /** The end of its Ttl; undefined: its channel has none. */
  readonly expiresAtMs: number | undefined
  readonly account: Account
  /** The result of `configure`, decrypted. */
  readonly settings: ProviderSettings
  /** The URL for receipts; undefined: the platform's public URL is not configured. */
  readonly receiptsUrl: string | undefined
  /** Aborted when the platform closes, and at the timeout of an attempt. */
  readonly signal: AbortSignal
}

/** The provider accepted it. `providerId`: the id in its later receipts. */
export type Accepted = {
  readonly kind: 'accepted'
  readonly providerId?: string
  readonly answer?: string
}

/**
 * To be retried, no sooner than after `afterMs`. `slow`: it is not about this address, so the whole
 * queue waits. `busy`: the provider accepts no more for now, perhaps for this address alone: this
 * address waits, and the queue if many different addresses are busy.
 */
export type Retry = {
  readonly kind: 'retry'
  readonly afterMs?: number
  readonly reason: string
  readonly slow?: true
  readonly busy?: true
}

/**
 * The address does not exist any more: the binding is deleted, unless it was made or replaced after
 * `sinceMs`, the time in the answer. `suspect`: a wrong configuration has the same answer, so the
 * binding is deleted only while most other answers are good.
 */
export type InvalidAddress = {
  readonly kind: 'invalid_address'
  readonly reason: string
  readonly sinceMs?: number
  readonly suspect?: true
}

/**
 * It would be refused again. `setup`: because of the configuration, whatever the address.
 * `addressRejected`: because of the address.
 */
export type Refused = {
  readonly kind: 'refused'
  readonly reason: string
  readonly misconfigured?: true
  readonly addressRejected?: true
}

export type DeliveryOutcome = Accepted | Retry | InvalidAddress | Refused

/** Sends the notifications of one channel. An error that it throws counts as a `retry`. */
export type Provider = {
  readonly channel: Channel
  /** As a configuration names it: `Providers = {sms = {provider = "twilio", …}}`. */
  readonly name: string
  /**
   * Checks `Providers.<channel>` of a configuration, without its `provider`. Secrets that are left
   * out stay as they were: `before` is what is stored.
   * @throws Fault invalid_argument, which begins with `Providers.<channel>`
   */
  configure(given: JsonObject, before: ProviderSettings | undefined): ProviderSettings
  /** The contract of what `configure` takes, without `Credentials`. */
  readonly schema: TObject
  /** Pure: the mapping of `payload/`, which a provider may add to. @throws Fault */
  map(message: Message, target: Recipient, settings: ProviderSettings): Payload
  deliver(job: NotificationJob): Promise<DeliveryOutcome>
  close?(): Promise<void>
}

/** The later state of an accepted message: the status call-back of an SMS. */
export type Receipt = {
  readonly channel: Channel
  readonly providerId: string
  readonly state: 'delivered' | 'failed' | 'underway'
  /** Grows with each step of the message: a receipt without progress is outdated. */
  readonly progress: number
  /** The provider's own text. */
  readonly answer: string
}
