import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'
import { timeOf, wholeNumber } from './list.ts'
import { microseconds } from './whitelist.ts'

export const deviceWindows: Command = {
  name: 'device windows',
  summary: 'Print the activation windows that close next.',
  options: {
    connector: connectorOption,
    limit: { meaning: 'The number of windows to print.', default: '20' },
    business: businessOption,
  },
  example: 'npx millrace device windows --connector demo --limit 5',
  run: ({ connector = '', business, limit }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const asked = { limit: wholeNumber('limit', limit) }
      const { windows, mayLoadMore } = await platform.provisioning.windows.next(
        id,
        connector,
        asked,
      )
      for (const { identity, expire } of windows) print(`${timeOf(expire)}  ${identity}`)
      if (mayLoadMore) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}

export const deviceExtend: Command = {
  name: 'device extend',
  summary: 'Extend the activation windows of identities.',
  options: {
    connector: connectorOption,
    hours: { meaning: 'The number of hours from now; either this or --expire.' },
    expire: { meaning: 'The new end, such as 2030-01-31T12:00Z, or never.' },
    identity: { meaning: 'One identity; or --tag, or --all.' },
    tag: { meaning: 'All identities with a tag: <name> or <name>=<value>.' },
    all: { meaning: 'All identities.', flag: true },
    business: businessOption,
  },
  example: 'npx millrace device extend --connector demo --all --hours 72',
  run: ({ connector = '', business, hours, expire, identity, tag, all }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { extended, expire: until } = await platform.provisioning.windows.extend(
        id,
        connector,
        {
          ...(hours !== undefined && { hours: wholeNumber('hours', hours) }),
          ...(expire !== undefined && { expire: untilOf(expire) }),
          ...(identity !== undefined && { identity }),
          ...(tag !== undefined && { tag: tagOf(tag) }),
          ...(all === 'yes' && { all: true }),
        },
      )
      const end = until === null ? 'without a deadline' : `until ${timeOf(until)}`
      print(`${extended} extended, ${end}`)
      return 0
    }),
}

const untilOf = (text: string) => (text === 'never' ? null : microseconds('expire', text))

/** @throws UsageError */
export function tagOf(text: string): { name: string; value?: string } {
  const [, name = '', value] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? []
  if (name === '') throw new UsageError('--tag is <name> or <name>=<value>')
  return { name, ...(value !== undefined && { value }) }
}
