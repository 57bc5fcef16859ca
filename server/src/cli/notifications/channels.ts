import { limits } from '../../kernel/index.ts'
import { type Command, print } from '../command.ts'
import { limitOf, solutionOptions, withSolution } from '../solution/owner.ts'
import { timeOf } from '../values.ts'

export const notificationsChannels: Command = {
  name: 'notifications channels',
  summary: 'Print the provider and the status of each notification channel of a solution.',
  options: solutionOptions,
  example:
    'npx millrace solution create --id alerts5 --name Alerts && ' +
    'npx millrace notifications channels --solution alerts5',
  run: (values) =>
    withSolution(values, async ({ platform, where }) => {
      const { channels } = await platform.notifications.channels(...where)
      for (const one of channels) {
        const rate = one.rate_per_second === null ? [] : [`${one.rate_per_second} a second`]
        const pause =
          one.paused_until === null
            ? []
            : [`pauses until ${timeOf(one.paused_until)}: ${one.pause_reason ?? ''}`]
        const fault = one.fault === null ? [] : [one.fault]
        const line = [one.channel, one.provider, ...rate, ...pause, ...fault].join('  ')
        print(line.replaceAll(/\p{Cc}/gu, ' '))
      }
      return 0
    }),
}

export const notificationsSink: Command = {
  name: 'notifications sink',
  summary: 'Print the messages in the local sink (channels without a provider), newest first.',
  options: {
    ...solutionOptions,
    limit: { meaning: 'The number of messages to print.', default: '20' },
  },
  example:
    'npx millrace solution create --id alerts3 --name Alerts && ' +
    'npx millrace notifications sink --solution alerts3',
  run: ({ limit, ...values }) =>
    withSolution(values, async ({ platform, where }) => {
      const asked = { limit: limitOf(limit, limits.pageMax) }
      const { arrived, cursor } = await platform.notifications.sink(...where, asked)
      for (const { at, channel, address, notification_sid, headers, body } of arrived) {
        const whom = `${timeOf(at)}  ${channel}  ${address}  ${notification_sid}`
        const head = Object.keys(headers ?? {}).length === 0 ? '' : `${JSON.stringify(headers)} `
        print(`${whom}\n  ${head}${JSON.stringify(body)}`)
      }
      if (cursor !== undefined) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}
