import { limits } from '../../kernel/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { timeOf, wholeNumber } from '../device/list.ts'
import { solutionOptions, withSolution } from './owner.ts'

export const solutionFailures: Command = {
  name: 'solution failures',
  summary: 'Print the events that a solution failed to handle, newest first.',
  options: {
    ...solutionOptions,
    limit: { meaning: 'The number of failures to print.', default: '20' },
    id: { meaning: 'Print only the argument of this failed call, as JSON.' },
  },
  example:
    'npx millrace solution create --id fails1 --name Failing && ' +
    'npx millrace solution failures --solution fails1',
  run: ({ limit: text, id: wanted, ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      if (wanted !== undefined) {
        const { argument } = await scripting.failures.get(...where, wanted)
        print(JSON.stringify(argument ?? null, undefined, 2))
        return 0
      }
      const limit = wholeNumber('limit', text)
      if (limit < 1 || limit > limits.pageMax) {
        throw new UsageError(`--limit is a number from 1 to ${limits.pageMax}`)
      }
      const { deliveries, before } = await scripting.failures.list(...where, { limit })
      for (const { id, service, event, error, tries, failedAt } of deliveries) {
        const what = `${service}_${event}  ${error.status} ${error.error}`
        const often = tries === 1 ? '1 try' : `${tries} tries`
        const line = `${id}  ${timeOf(failedAt)}  ${often}  ${what}`
        print(line.replaceAll(/\p{Cc}/gu, ' '))
      }
      if (before !== undefined) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}
