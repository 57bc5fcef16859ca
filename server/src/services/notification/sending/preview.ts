import { Fault, limits } from '../../../kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { audienceOf } from '../bindings/audience.ts'
import type { Binding } from '../bindings/binding.ts'
import type { NotificationOptions } from '../options.ts'
import { sizeOf } from '../payload/size.ts'
import type { ProviderConfiguration } from '../providers/configuration.ts'
import { readProviderConfiguration, routeOf, targetOf } from '../providers/route.ts'
import { countChannels, readBindings } from '../store/bindings.ts'
import type { Message } from './channel.ts'
import type { SendRequest } from './message.ts'

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
  const audience = audienceOf(solutionId, asked)
  const configuration = await readProviderConfiguration(options, solutionId)
  const ever = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER }
  const page = { offset: 0, count: limits.notificationPreviewMax }
  const bindings = await readBindings(options.database, audience, ever, page)
  const channels = await countChannels(options.database, audience)
  return {
    dry_run: true,
    total: channels.reduce((sum, one) => sum + one.count, 0),
    channels: Object.fromEntries(channels.map((one) => [one.channel, one.count])),
    deliveries: bindings.map((binding) => deliveryOf(options, configuration, message, binding)),
  }
}

function deliveryOf(
  options: NotificationOptions,
  configuration: ProviderConfiguration,
  message: Message,
  binding: Binding,
): ScriptValue {
  const { sid, identity, endpoint, channel, address } = binding
  const route = routeOf(options, configuration, channel)
  const whom = { binding_sid: sid, identity, endpoint, channel, address }
  try {
    if (route === undefined) throw new Fault('invalid_argument', 'its provider is not here')
    const payload = route.provider.map(message, targetOf(configuration, address), route.settings)
    const { unit, size, max, ...sms } = sizeOf(channel, payload)
    const { headers, body } = payload
    const fits = size <= max
    return { ...whom, provider: route.provider.name, headers, body, unit, size, max, fits, ...sms }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ...whom, refused: error.detail }
  }
}
