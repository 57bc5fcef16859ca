import { unwrap } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'
import { selectionOf, selectionOptions, untilOf } from './options.ts'

const path = '/api:1/service/{connector}/device2/windows'

export const deviceWindows = defineCommand({
  options: {
    connector: connectorOption,
    limit: { meaning: 'The number of windows to print.', default: '20' },
  },
  example: 'npx millrace device windows --connector demo --limit 5',
  routes: ['listWindows'],
  async run({ connector, limit }, { client, out }) {
    const params = { path: { connector }, query: { limit: wholeNumber('limit', limit) } }
    const { windows, mayLoadMore } = await unwrap((await client()).GET(path, { params }))
    out.show(windows, () => windows.map(({ identity, expire }) => `${timeOf(expire)}  ${identity}`))
    if (mayLoadMore) out.note('There are more; --limit shows them.')
    return undefined
  },
})

export const deviceExtend = defineCommand({
  options: {
    connector: connectorOption,
    hours: { meaning: 'The number of hours from now; either this or --expire.' },
    expire: { meaning: 'The new end, such as 2030-01-31T12:00Z, or never.' },
    ...selectionOptions,
  },
  example: 'npx millrace device extend --connector demo --all --hours 72',
  routes: ['extendWindows'],
  async run({ connector, hours, expire, ...selected }, { client, out }) {
    const body = {
      ...(hours !== undefined && { hours: wholeNumber('hours', hours) }),
      ...(expire !== undefined && { expire: untilOf('expire', expire) }),
      ...selectionOf(selected),
    }
    const params = { path: { connector } }
    const answer = await unwrap((await client()).POST(path, { params, body }))
    const { extended, expire: until } = answer
    const end = until === null ? 'without a deadline' : `until ${timeOf(until)}`
    out.show(answer, () => [`${extended} extended, ${end}`])
    return undefined
  },
})
