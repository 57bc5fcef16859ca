import { writeFile } from 'node:fs/promises'
import { unwrap } from '@millrace/client'
import { defineCommand, UsageError } from '../../command.ts'

export const interfaceClient = defineCommand({
  options: {
    solution: {
      meaning: 'The id or script key of a solution that the business may use.',
      required: true,
    },
    ts: { meaning: 'Write TypeScript, for programs that call the API.', flag: true },
    lua: { meaning: 'Write Lua, a module for the scripts of a subscriber.', flag: true },
    key: { meaning: "With --lua: its name in these scripts. Left out: the service's own." },
    out: { meaning: 'The file to write. Default: standard output.' },
  },
  operand: 'solution',
  example:
    'npx millrace solution create --id offer4 --name Offering && ' +
    'npx millrace solution service add --solution offer4 --service interface --config ' +
    `'{"operations":[{"name":"ping","script":"return 1","response":{"type":"integer"}}]}' && ` +
    'npx millrace interface client offer4 --ts --out offering.ts',
  routes: ['getInterfaceClient'],
  async run({ solution, ts, lua, key, out: file }, { client, input, out }) {
    if (ts === lua) throw new UsageError('--ts or --lua is needed')
    if (ts && key !== undefined) throw new UsageError('--key is for --lua')
    const language = ts ? ('typescript' as const) : ('lua' as const)
    const params = {
      path: { solution },
      query: { language, ...(key !== undefined && { key }) },
    }
    const api = await client()
    const path = '/api:1/solution/{solution}/definition/client'
    const answer = await unwrap(api.GET(path, { params }))
    if (file === undefined) out.show(answer, () => [answer.text.replace(/\n$/, '')])
    else {
      await writeFile(input.path(file), answer.text)
      out.show({ file }, () => [])
    }
    return undefined
  },
})
