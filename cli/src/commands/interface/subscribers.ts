import { type components, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { solutionOption } from '../options.ts'

type Subscriber = components['schemas']['Subscriber']

export const interfaceSubscribers = defineCommand({
  options: {
    solution: solutionOption,
    subscriber: { meaning: 'Print only this one: its id, or that of its solution.' },
    limit: { meaning: 'The number of subscribers to print.', default: '20' },
    offset: { meaning: 'The number of subscribers to skip.', default: '0' },
  },
  example:
    'npx millrace solution create --id offer2 --name Offering && ' +
    'npx millrace solution service add --solution offer2 --service interface && ' +
    'npx millrace interface subscribers --solution offer2',
  routes: ['listSubscribers', 'getSubscriber'],
  async run({ solution, subscriber, limit, offset }, { client, out }) {
    const query = { limit: wholeNumber('limit', limit), offset: wholeNumber('offset', offset) }
    const api = await client()
    if (subscriber !== undefined) {
      const params = { path: { solution, subscriber } }
      const path = '/api:1/solution/{solution}/subscribers/{subscriber}'
      const one = await unwrap(api.GET(path, { params }))
      out.show(one, () => [lineOf(one)])
      return undefined
    }
    const params = { path: { solution }, query }
    const page = await unwrap(api.GET('/api:1/solution/{solution}/subscribers', { params }))
    out.show(page, () => page.items.map(lineOf))
    out.note(`${page.items.length} of ${page.total}`)
    return undefined
  },
})

export const interfaceQuota = defineCommand({
  options: {
    solution: solutionOption,
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
  routes: ['updateSubscriber'],
  async run({ solution, subscriber, daily, monthly }, { client, out }) {
    if (daily === undefined && monthly === undefined) {
      throw new UsageError('--daily or --monthly is needed')
    }
    const quota = {
      ...(daily !== undefined && { calls_daily: callsOf('daily', daily) }),
      ...(monthly !== undefined && { calls_monthly: callsOf('monthly', monthly) }),
    }
    const api = await client()
    const params = { path: { solution, subscriber } }
    const changed = await unwrap(
      api.PATCH('/api:1/solution/{solution}/subscribers/{subscriber}', {
        params,
        body: { quota },
      }),
    )
    out.show(changed, () => [lineOf(changed)])
    return undefined
  },
})

function callsOf(name: string, text: string): number | null {
  return text === 'none' ? null : wholeNumber(name, text)
}

/** A subscription in a line: ids, and of each quota what is used. */
function lineOf({ id, solution_id, quota, used }: Subscriber): string {
  const quotas = (['calls_daily', 'calls_monthly'] as const).flatMap((name) => {
    return quota[name] === undefined ? [] : [`${name} ${used[name]}/${quota[name]}`]
  })
  return [solution_id, id, ...quotas].join('  ')
}
