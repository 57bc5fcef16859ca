import { type Clock, invalidField, StrictObject } from '../../../../foundation/kernel/index.ts'
import type { Http2, Outbound } from '../../../../foundation/outbound/index.ts'
import { definitions } from '../payload/channels.ts'
import { requireSender } from '../payload/sms.ts'
import { type Channel, channels, type Provider } from '../sending/channel.ts'
import { createApns } from './apns.ts'
import { createFcm } from './fcm.ts'
import { createMessenger } from './messenger.ts'
import { createTwilio } from './twilio.ts'
import { createWebhook } from './webhook.ts'

type ProviderOptions = {
  readonly outbound: Pick<Outbound, 'call'>
  readonly http2: Http2
  readonly clock: Clock
}

/** Creates all providers but the sinks. */
export function createProviders(options: ProviderOptions): readonly Provider[] {
  return [
    createApns(options),
    createFcm('fcm', options),
    createFcm('gcm', options),
    createTwilio(options),
    createWebhook(options),
    createMessenger(options),
  ]
}

/** The provider of a channel without a configured one. */
export const sinkName = 'sink'

/**
 * Providers that send nothing: the default of every channel. The job stores the payload exactly as
 * a provider would have received it, and the sink shows it.
 */
export function createSinkProviders(): readonly Provider[] {
  return channels.map(createSinkProvider)
}

function createSinkProvider(channel: Channel): Provider {
  return {
    channel,
    name: sinkName,
    schema: StrictObject({}),
    configure(given) {
      const [field] = Object.keys(given)
      if (field === undefined) return { shown: {}, secret: {} }
      throw invalidField(
        `Providers.${channel}`,
        `has no setting ${field.slice(0, 40)}: it is the sink`,
      )
    },
    map(message, target) {
      const payload = definitions[channel].map(message, target)
      return channel === 'sms' ? requireSender(payload) : payload
    },
    deliver: async () => ({ kind: 'accepted', answer: 'shown in the local sink' }),
  }
}
