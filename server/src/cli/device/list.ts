import type { IdentityRecord } from '../../provisioning/index.ts'
import { type Command, print, UsageError, withPlatform } from '../command.ts'
import { businessOption, connectorOption, ownerOf } from '../owner.ts'

export const deviceList: Command = {
  name: 'device list',
  summary: 'Print the identities of a connector, last seen first.',
  options: {
    connector: connectorOption,
    status: {
      meaning: 'Print only this status: whitelisted, provisioned, locked, reprovision, expired.',
    },
    identity: { meaning: 'Print only identities that match, such as ^pump-.' },
    limit: { meaning: 'The number of identities to print.', default: '100' },
    business: businessOption,
  },
  example: 'npx millrace device list --connector demo --status provisioned',
  run: ({ connector = '', business, status, identity, limit }) =>
    withPlatform(async (platform) => {
      const { id } = await ownerOf(platform, business, connector)
      const { devices, mayLoadMore } = await platform.provisioning.identities.list(id, connector, {
        limit: wholeNumber('limit', limit),
        ...(status !== undefined && { status }),
        ...(identity !== undefined && { identity }),
      })
      for (const device of devices) print(lineOf(device))
      if (mayLoadMore) process.stderr.write('There are more; --limit shows them.\n')
      return 0
    }),
}

/** @throws UsageError */
export function wholeNumber(name: string, text: string | undefined): number {
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} is a whole number`)
}

function lineOf({ identity, status, auth, lastip, lastseen, tags }: IdentityRecord): string {
  const seen = lastseen === null ? 'never seen' : `seen ${timeOf(lastseen)} from ${lastip}`
  const until = auth.expire === undefined ? '' : `  until ${timeOf(auth.expire)}`
  const named = tags.map(({ name, value }) => `${name}=${value}`).join(' ')
  return `${identity}  ${status}  ${seen}${until}${named === '' ? '' : `  ${named}`}`
}

/** Microseconds as people read them. */
export function timeOf(us: number): string {
  const ms = Math.floor(us / 1_000)
  const last = 8.64e15
  return ms > last ? `${us} us` : new Date(ms).toISOString()
}
