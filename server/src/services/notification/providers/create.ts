import type { Clock } from '../../../kernel/index.ts'
import type { Http2, Outbound } from '../../../outbound/index.ts'
import type { Provider } from '../sending/channel.ts'
import { createApns } from './apns.ts'
import { createFcm } from './fcm.ts'
import { createMessenger } from './messenger.ts'
import { createTwilio } from './twilio.ts'
import { createWebhook } from './webhook.ts'

export type ProviderOptions = {
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
