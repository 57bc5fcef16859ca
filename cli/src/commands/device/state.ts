import { type operations, unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'
import { columns, timeOf } from '../../output/output.ts'
import { connectorOption } from '../options.ts'
import { identityOption } from './options.ts'

type State = operations['getState']['responses'][200]['content']['application/json']

const path = '/api:1/service/{connector}/device2/identity/{identity}/state'

export const deviceState = defineCommand({
  options: {
    connector: connectorOption,
    identity: identityOption,
    set: { meaning: 'A value to set: <alias>=<value>; again for another.', many: true },
  },
  example:
    'npx millrace device state --connector demo --identity my-device ' +
    `--set data_out='{"004":true}'`,
  routes: ['getState', 'setState'],
  async run({ connector, identity, set }, { client, out }) {
    const body = Object.fromEntries(set.map(pairOf))
    const api = await client()
    const params = { path: { connector, identity } }
    if (set.length > 0) await unwrap(api.PATCH(path, { params, body }))
    const state = await unwrap(api.GET(path, { params }))
    out.show(state, () => linesOf(state))
    return undefined
  },
})

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError('--set is <alias>=<value>')
  return [text.slice(0, at), text.slice(at + 1)]
}

function linesOf(state: State): string[] {
  const rows = Object.entries(state).map(([alias, { reported, set, timestamp }]) => {
    const wanted = set === reported ? '' : `  is to be ${set}`
    // A value that a device wrote may have many lines.
    return [
      alias,
      timeOf(timestamp),
      `${reported ?? '-'}${wanted}`.replaceAll(/\p{Cc}/gu, '\ufffd'),
    ]
  })
  return columns(rows)
}
