import { Fault } from '../../../kernel/index.ts'
import { mapPayload } from '../payload/map.ts'
import { type Channel, channels, type Provider } from '../sending/channel.ts'

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
    ...{ channel, name: sinkName },
    configure(given) {
      const [field] = Object.keys(given)
      if (field === undefined) return { shown: {}, secret: {} }
      throw new Fault('invalid_argument', `The sink has no setting ${field.slice(0, 40)}.`)
    },
    map: (message, target) => mapPayload(channel, message, target),
    deliver: async () => ({ kind: 'accepted', answer: 'shown in the local sink' }),
  }
}
