import { type Command, print, UsageError } from '../command.ts'
import { wholeNumber } from '../device/list.ts'
import { solutionOptions, withSolution } from '../solution/owner.ts'
import { lineOf } from './show.ts'

export const interfaceQuota: Command = {
  name: 'interface quota',
  summary: 'Set the calls that a subscriber may make in a day and in a month (UTC).',
  options: {
    ...solutionOptions,
    subscriber: {
      meaning: 'The id of the subscription, or of the subscribed solution.',
      required: true,
    },
    daily: { meaning: 'Calls a day, or none.' },
    monthly: { meaning: 'Calls a month, or none.' },
  },
  example:
    'npx millrace solution create --id offer3 --name Offering && ' +
    'npx millrace solution service add --solution offer3 --service interface && ' +
    'npx millrace solution create --id user3 --name Using && ' +
    'npx millrace solution service add --solution user3 --service offer3 && ' +
    'npx millrace interface quota --solution offer3 --subscriber user3 --daily 1000',
  run: ({ subscriber = '', daily, monthly, ...values }) =>
    withSolution(values, async ({ platform, where }) => {
      if (daily === undefined && monthly === undefined) {
        throw new UsageError('--daily or --monthly is needed')
      }
      const quota = {
        ...(daily !== undefined && { calls_daily: callsOf('daily', daily) }),
        ...(monthly !== undefined && { calls_monthly: callsOf('monthly', monthly) }),
      }
      print(lineOf(await platform.interfaces.subscribers.set(...where, subscriber, { quota })))
      return 0
    }),
}

function callsOf(name: string, text: string): number | null {
  return text === 'none' ? null : wholeNumber(name, text)
}
