import { writeFile } from 'node:fs/promises'
import { type Command, UsageError, withPlatform } from '../command.ts'
import { businessOf, solutionOptions } from '../owner.ts'

export const interfaceClient: Command = {
  name: 'interface client',
  summary: 'Write a typed client of an exposed solution, in TypeScript or Lua.',
  options: {
    ...solutionOptions,
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
  async run({ solution = '', business, ts, lua, key, out }) {
    if ((ts === undefined) === (lua === undefined)) throw new UsageError('--ts or --lua is needed')
    if (ts !== undefined && key !== undefined) throw new UsageError('--key is for --lua')
    const text = await withPlatform(async (platform) => {
      const { id } = await businessOf(platform, business)
      const { clients } = platform.interfaces
      return ts === undefined ? clients.lua(id, solution, key) : clients.typescript(id, solution)
    })
    if (out === undefined) process.stdout.write(text)
    else await writeFile(out, text)
    return 0
  },
}
