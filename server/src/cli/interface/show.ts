import { Fault, limits } from '../../kernel/index.ts'
import type { MeteredSubscription } from '../../services/interface/index.ts'
import { type Command, print } from '../command.ts'
import { wholeNumber } from '../device/list.ts'
import { solutionOptions, withSolution } from '../solution/owner.ts'

export const interfaceShow: Command = {
  name: 'interface show',
  summary: 'Print the service that a solution exposes, as JSON.',
  options: solutionOptions,
  example:
    'npx millrace solution create --id offer1 --name Offering && ' +
    'npx millrace solution service add --solution offer1 --service interface && ' +
    'npx millrace interface show --solution offer1',
  run: (values) =>
    withSolution(values, async ({ scripting, where }) => {
      const all = await scripting.configurations.list(...where)
      const exposed = all.find(({ service }) => service === 'interface')
      if (exposed === undefined) throw new Fault('not_found', 'The solution exposes nothing.')
      print(JSON.stringify(exposed.parameters, undefined, 2))
      return 0
    }),
}

export const interfaceSubscribers: Command = {
  name: 'interface subscribers',
  summary: 'Print the subscribers of an exposed solution and how much of their quotas is used.',
  options: {
    ...solutionOptions,
    limit: {
      meaning: 'The number of subscribers to print.',
      default: String(limits.subscribersPageDefault),
    },
    offset: { meaning: 'The number of subscribers to skip.', default: '0' },
  },
  example:
    'npx millrace solution create --id offer2 --name Offering && ' +
    'npx millrace solution service add --solution offer2 --service interface && ' +
    'npx millrace interface subscribers --solution offer2',
  run: ({ limit, offset, ...values }) =>
    withSolution(values, async ({ platform, where }) => {
      const asked = { limit: wholeNumber('limit', limit), offset: wholeNumber('offset', offset) }
      const { items, total } = await platform.interfaces.subscribers.list(...where, asked)
      for (const one of items) print(lineOf(one))
      process.stderr.write(`${items.length} of ${total}\n`)
      return 0
    }),
}

/** A subscription in a line: ids, and of each quota what is used. */
export function lineOf({ id, solution_id, quota, used }: MeteredSubscription): string {
  const quotas = (['calls_daily', 'calls_monthly'] as const).flatMap((name) => {
    return quota[name] === undefined ? [] : [`${name} ${used[name]}/${quota[name]}`]
  })
  return [solution_id, id, ...quotas].join('  ')
}
