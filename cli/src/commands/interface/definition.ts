import { type components, unwrap } from '@millrace/client'
import { defineCommand, exitCodes, UsageError } from '../../command.ts'
import { type Input, wholeNumber } from '../../input.ts'
import { columns } from '../../output/output.ts'
import { readServiceBody } from '../../solution/folder.ts'
import { solutionOption } from '../options.ts'

type BreakingChange = components['schemas']['BreakingChange']

export const interfaceList = defineCommand({
  options: {
    text: { meaning: 'Letters of an id, a script key, a name, a description or a tag.' },
    tag: { meaning: 'A tag that they have.' },
    limit: { meaning: 'The number of services to print.', default: '20' },
    offset: { meaning: 'The number of services to skip.', default: '0' },
  },
  example: 'npx millrace interface list --text weather',
  routes: ['listServices'],
  async run({ text, tag, limit, offset }, { client, out }) {
    const query = {
      limit: wholeNumber('limit', limit),
      offset: wholeNumber('offset', offset),
      ...(text !== undefined && { text }),
      ...(tag !== undefined && { tag }),
    }
    const api = await client()
    const page = await unwrap(api.GET('/api:1/services', { params: { query } }))
    const { items, total } = page
    out.show(page, () =>
      columns(
        items.map(({ solution_id, default_script_key: key, name, tags, parameters }) => {
          const settings = parameters.map((one) => one.name)
          return [solution_id, key, name, tags.join(', '), settings.join(', ')]
        }),
      ),
    )
    out.note(`${items.length} of ${total}`)
    return undefined
  },
})

export const interfaceShow = defineCommand({
  options: {
    solution: {
      meaning: 'The id or script key of a solution that the business may use.',
      required: true,
    },
  },
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
