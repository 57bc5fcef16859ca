import { type Command, print } from '../command.ts'
import { timeOf } from '../device/list.ts'
import { solutionOptions, withSolution } from '../solution/owner.ts'

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
