import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorIn } from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { connectorOption } from '../options.ts'
import { toFilter } from './options.ts'

export const deviceExport = defineCommand({
  options: {
    connector: connectorOption,
    status: {
      meaning: 'Write only this status: whitelisted, provisioned, locked, reprovision, expired.',
    },
    identity: { meaning: 'Write only identities that match, such as ^pump-.' },
    tag: { meaning: 'Write only identities with a tag: <name> or <name>=<value>.' },
    output: { meaning: 'The file to write. Default: print.' },
  },
  example: 'npx millrace device export --connector demo > devices.csv',
  routes: ['exportIdentities'],
  async run({ connector, output, ...filter }, { client, input, out }) {
    const api = await client()
    const query = new URLSearchParams(
      Object.entries(toFilter(filter)).map(([name, value]): [string, string] => [name, `${value}`]),
    )
    const path = `/api:1/service/${encodeURIComponent(connector)}/device2/identities?${query}`
    const response = await api.request(path)
    if (!response.ok) throw await errorIn(response)
    if (output === undefined) out.print((await response.text()).replaceAll('\r\n', '\n').trimEnd())
    else await pipeline(Readable.from(response.body ?? []), createWriteStream(input.path(output)))
  },
})
