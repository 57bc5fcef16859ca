import { type components, unwrap } from '@millrace/client'
import { defineCommand, exitCodes, UsageError } from '../../command.ts'
import type { Input } from '../../input.ts'
import { readServiceBody } from '../../solution/folder.ts'
import { solutionOption } from '../options.ts'

type BreakingChange = components['schemas']['BreakingChange']

export const interfaceShow = defineCommand({
  options: { solution: solutionOption },
  example:
    'npx millrace solution create --id offer1 --name Offering && ' +
    'npx millrace solution service add --solution offer1 --service interface && ' +
    'npx millrace interface show --solution offer1',
  routes: ['getDefinition'],
  async run({ solution }, { client, out }) {
    const api = await client()
    const params = { path: { solution } }
    const definition = await unwrap(api.GET('/api:1/solution/{solution}/definition', { params }))
    out.show(definition, () => [JSON.stringify(definition, null, 2)])
    return undefined
  },
})

export const interfaceCheck = defineCommand({
  options: {
    solution: solutionOption,
    dir: { meaning: 'The folder of the solution, with services/interface.yaml.' },
    file: { meaning: 'The definition alone, YAML or JSON, in place of --dir.' },
  },
  operand: 'solution',
  example:
    'npx millrace solution create --id offer5 --name Offering && ' +
    'npx millrace solution service add --solution offer5 --service interface && ' +
    `echo '{"operations": [{"name": "ping", "script": "return 1"}]}' > offer5.json && ` +
    'npx millrace interface check offer5 --file offer5.json',
  routes: ['checkDefinition'],
  async run({ solution, dir, file }, { client, input, out }) {
    const body = await readServiceBody(placeOf(input, dir, file), 'interface')
    const api = await client()
    const params = { path: { solution } }
    const path = '/api:1/solution/{solution}/definition/check'
    const found = await unwrap(api.POST(path, { params, body }))
    const { changes } = found
    out.show(found, () => changes.map(lineOf))
    if (changes.some(({ subscribers }) => subscribers.length > 0)) return exitCodes.failed
    out.print('nothing that others rely on is taken away')
    return exitCodes.done
  },
})

function placeOf(input: Input, dir: string | undefined, file: string | undefined) {
  if (dir !== undefined && file === undefined) return { dir: input.path(dir) }
  if (file !== undefined && dir === undefined) return { file: input.path(file) }
  throw new UsageError('--dir or --file is needed, and not both')
}

/** A breaking change with the subscribers that it hits. */
function lineOf({ part, name, change, subscribers }: BreakingChange): string {
  const what = part === 'mode' ? part : `${part} ${name}`
  const hit = subscribers.map((one) => one.solution_id)
  return `${what}: ${change}  ${hit.length === 0 ? 'no subscriber' : hit.join(' ')}`
}
