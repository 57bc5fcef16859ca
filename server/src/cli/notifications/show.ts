import { limits } from '../../kernel/index.ts'
import type { DeliveryTimeline } from '../../services/notification/index.ts'
import { type Command, print } from '../command.ts'
import { limitOf, solutionOptions, withSolution } from '../solution/owner.ts'
import { timeOf } from '../values.ts'
import { summaryLine } from './list.ts'

export const notificationsShow: Command = {
  name: 'notifications show',
  summary: 'Print the timeline of a notification for each of its bindings.',
  options: {
    ...solutionOptions,
    sid: { meaning: 'The sid of the notification.', required: true },
    limit: { meaning: 'The number of bindings to print.', default: '20' },
  },
  example:
    'npx millrace solution create --id alerts2 --name Alerts && ' +
    'npx millrace notifications list --solution alerts2',
  run: ({ limit, sid = '', ...values }) =>
    withSolution(values, async ({ platform, where }) => {
      const asked = { limit: limitOf(limit, limits.pageMax) }
      const shown = await platform.notifications.show(...where, sid, asked)
      print(summaryLine(shown))
      print(`${timeOf(shown.accepted_at)}  accepted`)
      for (const one of shown.deliveries) for (const line of linesOf(one)) print(line)
      if (shown.cursor !== undefined) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}

function linesOf({ binding_sid, channel, address, state, timeline }: DeliveryTimeline): string[] {
  const head = `${binding_sid}  ${channel}  ${address}  ${state}`
  const moments = timeline.map(({ at, event, text = '' }) => `  ${timeOf(at)}  ${event}  ${text}`)
  return [head, ...moments].map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trimEnd())
}
