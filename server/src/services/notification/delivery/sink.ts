import { Fault } from '../../../kernel/index.ts'
import { mapPayload } from '../payload/map.ts'
import { type Channel, type ChannelName, channelNames } from '../sending/channel.ts'

/** The name of the way that leads nowhere. */
export const sinkName = 'sink'

/**
 * Takes what would have gone to a provider, and shows it: the way of every channel that is not
 * configured. What it took stands in the job, exactly as a provider would have been given it.
 */
export function createSinks(): readonly Channel[] {
  return channelNames.map(sinkOf)
}

function sinkOf(name: ChannelName): Channel {
  return {
    ...{ name, provider: sinkName },
    configure(given) {
      const [field] = Object.keys(given)
      if (field === undefined) return { shown: {}, secret: {} }
      throw new Fault('invalid_argument', `The sink has no setting ${field.slice(0, 40)}.`)
    },
    map: (message, target) => mapPayload(name, message, target),
    deliver: async () => ({ kind: 'accepted', answer: 'shown in the local sink' }),
  }
}
