import { Fault, limits } from '../../../kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'
import { audienceOf } from '../bindings/audience.ts'
import type { Binding } from '../bindings/binding.ts'
import type { Needs } from '../needs.ts'
import { sizeOf } from '../payload/size.ts'
import type { ProviderConfiguration } from '../providers/configuration.ts'
import { routeOf, setupOf, targetOf } from '../providers/setup.ts'
import { countChannels, readBindings } from '../store/bindings.ts'
import type { Message } from './channel.ts'
import type { SendArguments } from './message.ts'

/**
 * Who would get what: the first bindings of the audience with exactly what their providers would
 * be given, and how many there are in all. Nothing is kept.
 */
export async function preview(
  needs: Needs,
  solutionId: string,
  asked: SendArguments,
): Promise<ScriptValue> {
  const { message } = asked
  const audience = audienceOf(solutionId, asked)
  const setup = await setupOf(needs, solutionId)
  const ever = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER }
  const page = { offset: 0, count: limits.notificationRehearsalMax }
  const bindings = await readBindings(needs.database, audience, ever, page)
  const channels = await countChannels(needs.database, audience)
  return {
    dry_run: true,
    total: channels.reduce((sum, one) => sum + one.count, 0),
    channels: Object.fromEntries(channels.map((one) => [one.channel, one.count])),
    deliveries: bindings.map((binding) => deliveryOf(needs, setup, message, binding)),
  }
}

function deliveryOf(
  needs: Needs,
  setup: ProviderConfiguration,
  message: Message,
  binding: Binding,
): ScriptValue {
  const { sid, identity, endpoint, channel, address } = binding
  const way = routeOf(needs, setup, channel)
  const whom = { binding_sid: sid, identity, endpoint, channel, address }
  try {
    if (way === undefined) throw new Fault('invalid_argument', 'its provider is not here')
    const payload = way.channel.map(message, targetOf(setup, address), way.settings)
    const { unit, size, max, ...sms } = sizeOf(channel, payload)
    const { headers, body } = payload
    const fits = size <= max
    return { ...whom, provider: way.channel.provider, headers, body, unit, size, max, fits, ...sms }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ...whom, refused: error.detail }
  }
}
