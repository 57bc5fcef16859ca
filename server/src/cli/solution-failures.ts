import { limits } from '../kernel/index.ts'
import { type Command, print, UsageError } from './command.ts'
import { timeOf, wholeNumber } from './device-list.ts'
import { solutionOptions, withSolution } from './solution-owner.ts'

export const solutionFailures: Command = {
  name: 'solution failures',
  summary: 'Print the events that a solution failed to handle, newest first.',
  options: { ...solutionOptions, limit: { meaning: 'How many.', default: '20' } },
  example:
    'npx millrace solution create --id fails1 --name Failing && ' +
    'npx millrace solution failures --solution fails1',
  run: ({ limit: text, ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      const limit = wholeNumber('limit', text)
      if (limit < 1 || limit > limits.pageMax) {
        throw new UsageError(`--limit is a number from 1 to ${limits.pageMax}`)
      }
      const { deliveries, before } = await scripting.failures.list(...where, { limit })
      for (const { id, service, event, error, tries, failedAt } of deliveries) {
        const what = `${service}_${event}  ${error.status} ${error.error}`
        const line = `${id}  ${timeOf(failedAt)}  ${tries} tries  ${what}`
        print(line.replaceAll(/\p{Cc}/gu, ' '))
      }
      if (before !== undefined) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}
