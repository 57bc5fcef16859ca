import {
  type components,
  type MillraceClient,
  type operations,
  pages,
  unwrap,
} from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'
import { filterOf, identityOption } from './options.ts'

type Identity = components['schemas']['Identity']
type Query = NonNullable<operations['listIdentities']['parameters']['query']>

export const deviceList = defineCommand({
  options: {
    connector: connectorOption,
    status: {
      meaning: 'Print only this status: whitelisted, provisioned, locked, reprovision, expired.',
    },
    identity: { meaning: 'Print only identities that match, such as ^pump-.' },
    limit: { meaning: 'The number of identities to print. Default: 100.' },
    all: { meaning: 'Print every identity.', flag: true },
  },
  example: 'npx millrace device list --connector demo --status provisioned',
  routes: ['listIdentities'],
  async run({ connector, status, identity, limit, all }, { client, out }) {
    if (all && limit !== undefined) throw new UsageError('--limit and --all contradict each other')
    const filter = filterOf({ status, identity })
    const api = await client()
    if (all) {
      await out.showAll(everyIdentity(api, connector, filter), lineOf)
      return undefined
    }
    const query = Object.assign(filter, { limit: wholeNumber('limit', limit ?? '100') })
    const { devices, mayLoadMore } = await pageOf(api, connector, query)
    out.show(devices, () => devices.map(lineOf))
    if (mayLoadMore) out.note('There are more; --limit or --all shows them.')
    return undefined
  },
})

export function pageOf(api: MillraceClient, connector: string, query: Query) {
  const params = { path: { connector }, query }
  return unwrap(api.GET('/api:1/service/{connector}/device2/identity', { params }))
}

function everyIdentity(api: MillraceClient, connector: string, filter: Query) {
  return pages<Identity, string>(async (before) => {
    const query = before === undefined ? filter : Object.assign({}, filter, { before })
    const { devices, mayLoadMore } = await pageOf(api, connector, query)
    const last = devices.at(-1)
    const isLast = !mayLoadMore || last === undefined
    return {
      items: devices,
      next: isLast ? undefined : `${last.lastseen ?? 0}:${last.identity}`,
    }
  })
}

/** An identity as people read it. */
export function lineOf({ identity, status, auth, lastip, lastseen, tags }: Identity): string {
  const seen = lastseen === null ? 'never seen' : `seen ${timeOf(lastseen)} from ${lastip}`
  const until = auth.expire === undefined ? '' : `  until ${timeOf(auth.expire)}`
  const named = tags.map(({ name, value }) => `${name}=${value}`).join(' ')
  return `${identity}  ${status}  ${seen}${until}${named === '' ? '' : `  ${named}`}`
}

export const deviceRemove = defineCommand({
  options: { connector: connectorOption, identity: identityOption },
  example:
    'npx millrace device add --connector demo --identity pump-9 && ' +
    'npx millrace device remove --connector demo --identity pump-9 --yes',
  routes: ['deleteIdentity'],
  async run({ connector, identity }, { client, out, confirm }) {
    const api = await client()
    await confirm(`Delete ${identity} with its credential and its values?`)
    const params = { path: { connector, identity } }
    const path = '/api:1/service/{connector}/device2/identity/{identity}'
    await unwrap(api.DELETE(path, { params }))
    out.print(`${identity} is removed`)
    return undefined
  },
})
