import { Fault } from '../../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import type { Where } from '../actions.ts'
import { makeAudience } from '../bindings/audience.ts'
import type { Binding } from '../bindings/binding.ts'
import { notificationOperations } from '../operations.ts'
import type { NotificationOptions } from '../options.ts'
import { definitions } from '../payload/channels.ts'
import type { Size } from '../payload/definition.ts'
import type { ProviderConfiguration } from '../providers/configuration.ts'
import { readProviderConfiguration, routeFor, toRecipient } from '../providers/route.ts'
import type { ChannelPreview } from '../schema.ts'
import { countChannels, readBindings } from '../store/bindings.ts'
import { channels, type Message, type Payload } from './channel.ts'
import { readSend, type SendRequest } from './message.ts'

/** Bindings that a dry run lists with their payloads. */
const notificationPreviewMax = 50

/**
 * Returns the first bindings of the audience with the payloads that their providers would receive,
 * and the number of all bindings. Stores nothing.
 */
export async function preview(
  options: NotificationOptions,
  solutionId: string,
  asked: SendRequest,
): Promise<ScriptValue> {
  const { message } = asked
  const audience = makeAudience(solutionId, asked)
  const configuration = await readProviderConfiguration(options, solutionId)
  const ever = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER }
  const page = { offset: 0, count: notificationPreviewMax }
  const bindings = await readBindings(options.database, audience, ever, page)
  const channels = await countChannels(options.database, audience)
  return {
    dry_run: true,
    total: channels.reduce((sum, one) => sum + one.count, 0),
    channels: Object.fromEntries(channels.map((one) => [one.channel, one.count])),
    deliveries: bindings.map((binding) =>
      previewDelivery(options, configuration, message, binding),
    ),
  }
}

function previewDelivery(
  options: NotificationOptions,
  configuration: ProviderConfiguration,
  message: Message,
  binding: Binding,
): ScriptValue {
  const { sid, identity, endpoint, channel, address } = binding
  const whom = { binding_sid: sid, identity, endpoint, channel, address }
  const mapped = mapFor(options, configuration, message, { channel, address })
  if ('refused' in mapped) return { ...whom, refused: mapped.refused }
  const { provider, payload, size } = mapped
  const { unit, size: used, max, ...sms } = size
  const fits = used <= max
  return { ...whom, provider, ...payload, unit, size: used, max, fits, ...sms }
}

type Mapped = { readonly provider: string; readonly payload: Payload; readonly size: Size }

/** Returns the payload for an address, or why there is none. */
function mapFor(
  options: Pick<NotificationOptions, 'providers'>,
  configuration: ProviderConfiguration,
  message: Message,
  { channel, address }: Pick<Binding, 'channel' | 'address'>,
): Mapped | { readonly refused: string } {
  const route = routeFor(options, configuration, channel)
  try {
    if (route === undefined) throw new Fault('invalid_argument', 'its provider is not available')
    const { provider, settings } = route
    const { headers, body } = provider.map(message, toRecipient(configuration, address), settings)
    const payload = { headers, body }
    return { provider: provider.name, payload, size: definitions[channel].size(body) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { refused: error.detail }
  }
}

/**
 * Returns a message as each channel of a solution would have it, for an address that nobody has.
 * Stores nothing. @throws Fault invalid_argument
 */
export async function previewMessage(
  options: Pick<NotificationOptions, 'providers' | 'configurations' | 'secrets' | 'clock'>,
  { solutionId }: Where,
  given: Readonly<Record<string, unknown>>,
): Promise<readonly ChannelPreview[]> {
  const direct = channels.map((channel) => ({
    channel,
    address: definitions[channel].address.example,
  }))
  const args = notificationOperations.parse('send', { ...given, ServiceSid: '0'.repeat(34) })
  const { message } = readSend(args, options.clock.nowMs(), direct)
  const configuration = await readProviderConfiguration(options, solutionId)
  return direct.map((one) => {
    const { channel } = one
    const mapped = mapFor(options, configuration, message, one)
    if ('refused' in mapped) return { channel, refused: mapped.refused }
    const { provider, payload, size } = mapped
    const fits = size.size <= size.max
    const shown = definitions[channel].shown(payload.body)
    return { channel, provider, ...payload, ...size, fits, shown }
  })
}
