import { limits } from '../../kernel/index.ts'
import type { NotificationSummary } from '../../services/notification/index.ts'
import { type Command, print } from '../command.ts'
import { limitOf, solutionOptions, withSolution } from '../solution/owner.ts'
import { timeOf } from '../values.ts'

export const notificationsList: Command = {
  name: 'notifications list',
  summary:
    'Print the notifications of a solution, newest first, with the state of their deliveries.',
  options: {
    ...solutionOptions,
    limit: { meaning: 'The number of notifications to print.', default: '20' },
  },
  example:
    'npx millrace solution create --id alerts1 --name Alerts && ' +
    'npx millrace notifications list --solution alerts1',
  run: ({ limit, ...values }) =>
    withSolution(values, async ({ platform, where }) => {
      const asked = { limit: limitOf(limit, limits.pageMax) }
      const { notifications, cursor } = await platform.notifications.list(...where, asked)
      for (const one of notifications) print(summaryLine(one))
      if (cursor !== undefined) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}

/** A notification in a line: its states that are not empty, and its text. */
export function summaryLine(one: NotificationSummary): string {
  const states = Object.entries(one.states).flatMap(([state, count]) => {
    return count === 0 ? [] : [`${count} ${state}`]
  })
  const shown = [...states, ...(one.expanded ? [] : ['and more to come'])].join(', ')
  const text = one.title === '' ? one.body : `${one.title}: ${one.body}`
  const line = [one.sid, timeOf(one.accepted_at), shown || 'nobody', text].join('  ')
  return line.replaceAll(/\p{Cc}/gu, ' ')
}
