import { writeFile } from 'node:fs/promises'
import { type components, toError } from '@millrace/client'
import { command, exitCodes, UsageError } from '../command.ts'
import { type Input, jsonOfText, wholeNumber } from '../input.ts'
import { type Given, operation, type Read } from '../operation.ts'
import { columns } from '../output/output.ts'
import { readServiceBody } from '../solution/folder.ts'
import { callMsMax, isScriptError, scriptErrorLine } from '../solution/runs.ts'
import { limitOption, newSolution, solutionOption } from './options.ts'

type Schemas = components['schemas']

const usableOption = {
  meaning: 'The id or script key of a solution that the business may use.',
  required: true,
} as const

/** Makes a solution that offers a service. */
const offering = (id: string) =>
  `${newSolution(id, 'Offering')} solution service add --solution ${id} --service interface`

const parseCalls: Read = (option, text) => (text === 'none' ? null : wholeNumber(option, text))

/** The commands of solutions that are exposed as services. */
export const commands = {
  'interface list': operation('listServices', {
    summary: 'List the services of solutions that the business may use.',
    options: {
      text: 'Letters of an id, a script key, a name, a description or a tag.',
      tag: 'A tag that they have.',
      limit: limitOption('services'),
      offset: { meaning: 'The number of services to skip.', default: '0' },
    },
    lines: ({ items }) =>
      columns(
        items.map(({ solution_id, default_script_key: key, name, tags, parameters }) => {
          const settings = parameters.map((one) => one.name)
          return [solution_id, key, name, tags.join(', '), settings.join(', ')]
        }),
      ),
    notes: ({ items, total }) => [`${items.length} of ${total}`],
    example: 'npx millrace interface list --text weather',
  }),
  'interface show': operation('getDefinition', {
    summary: 'Print the service that a solution exposes, as JSON.',
    options: { solution: usableOption },
    lines: (definition) => [JSON.stringify(definition, null, 2)],
    example: `${offering('offer1')} && npx millrace interface show --solution offer1`,
  }),
  'interface check': command(
    'Compare a definition with the live one; exit with 1 if it breaks a subscriber.',
    {
      options: {
        solution: solutionOption,
        dir: { meaning: 'The folder of the solution, with services/interface.yaml.' },
        file: { meaning: 'The definition alone, YAML or JSON, in place of --dir.' },
      },
      operand: 'solution',
      example:
        `${offering('offer5')} && ` +
        `echo '{"operations": [{"name": "ping", "script": "return 1"}]}' > offer5.json && ` +
        'npx millrace interface check offer5 --file offer5.json',
      routes: ['checkDefinition'],
      async run({ solution, dir, file }, { call, input, out }) {
        const body = await readServiceBody(toPlace(input, dir, file), 'interface')
        const found = await call('checkDefinition', { solution }, body)
        const { changes } = found
        out.show(found, () => changes.map(changeLine))
        if (changes.some(({ subscribers }) => subscribers.length > 0)) return exitCodes.failed
        out.print('nothing that others rely on is taken away')
        return exitCodes.done
      },
    },
  ),
  'interface client': command(
    'Write a typed client of an exposed solution, in TypeScript or Lua.',
    {
      options: {
        solution: usableOption,
        ts: { meaning: 'Write TypeScript, for programs that call the API.', flag: true },
        lua: { meaning: 'Write Lua, a module for the scripts of a subscriber.', flag: true },
        key: { meaning: "With --lua: its name in these scripts. Left out: the service's own." },
        out: { meaning: 'The file to write. Default: standard output.' },
      },
      operand: 'solution',
      example:
        `${offering('offer4')} --config ` +
        `'{"operations":[{"name":"ping","script":"return 1","response":{"type":"integer"}}]}' && ` +
        'npx millrace interface client offer4 --ts --out offering.ts',
      routes: ['getInterfaceClient'],
      async run({ solution, ts, lua, key, out: file }, { call, input, out }) {
        if (ts === lua) throw new UsageError('--ts or --lua is needed')
        if (ts && key !== undefined) throw new UsageError('--key is for --lua')
        const language = ts ? ('typescript' as const) : ('lua' as const)
        const answer = await call('getInterfaceClient', { solution, language, key })
        if (file === undefined) out.show(answer, () => [answer.text.replace(/\n$/, '')])
        else {
          await writeFile(input.path(file), answer.text)
          out.show({ file }, () => [])
        }
      },
    },
  ),
  'interface call': command('Call an operation of an exposed solution, and print its result.', {
    options: {
      operation: { meaning: 'The name of the operation.', required: true },
      solution: usableOption,
      argument: { meaning: 'Its arguments, as JSON. Default: none.' },
      subscriber: { meaning: 'The subscription that calls: its id, or that of its solution.' },
    },
    operand: 'operation',
    example:
      `${offering('offer6')} --config ` +
      `'{"operations":[{"name":"double","script":"return request.x * 2",` +
      `"parameters":{"title":"request"}}]}' && ` +
      `npx millrace interface call double --solution offer6 --argument '{"x": 21}'`,
    routes: ['callOperation'],
    async run({ operation: name, solution, argument, subscriber }, { client, out }) {
      const given = argument === undefined ? {} : { body: jsonOfText('argument', argument) }
      const api = await client({ timeoutMs: callMsMax })
      const params = {
        path: { solution, operation: name },
        query: { ...(subscriber !== undefined && { subscriber }) },
      }
      const path = '/api:1/solution/{solution}/interface/{operation}'
      const { data, error, response } = await api.POST(path, Object.assign({ params }, given))
      if (response.ok) {
        const result: unknown = data ?? null
        out.show(result, () => [JSON.stringify(result, null, 2)])
        return exitCodes.done
      }
      if (!isScriptError(error)) throw toError(response, error)
      out.note(scriptErrorLine(error))
      return exitCodes.failed
    },
  }),
  'interface subscribers': command(
    'Print the subscribers of an exposed solution and how much of their quotas is used.',
    {
      options: {
        solution: solutionOption,
        subscriber: { meaning: 'Print only this one, by its id or the id of its solution.' },
        limit: limitOption('subscribers'),
        offset: { meaning: 'The number of subscribers to skip.', default: '0' },
      },
      example: `${offering('offer2')} && npx millrace interface subscribers --solution offer2`,
      routes: ['listSubscribers', 'getSubscriber'],
      async run({ solution, subscriber, ...given }, { call, out }) {
        const [limit, offset] = [
          wholeNumber('limit', given.limit),
          wholeNumber('offset', given.offset),
        ]
        if (subscriber !== undefined) {
          const one = await call('getSubscriber', { solution, subscriber })
          out.show(one, () => [subscriberLine(one)])
          return
        }
        const page = await call('listSubscribers', { solution, limit, offset })
        out.show(page, () => page.items.map(subscriberLine))
        out.note(`${page.items.length} of ${page.total}`)
      },
    },
  ),
  'interface quota': operation('updateSubscriber', {
    summary: 'Set the calls that a subscriber may make in a day and in a month (UTC).',
    options: {
      solution: solutionOption,
      subscriber: 'The id of the subscription, or of the subscribed solution.',
      daily: { as: 'quota.calls_daily', read: parseCalls, meaning: 'Calls a day, or none.' },
      monthly: { as: 'quota.calls_monthly', read: parseCalls, meaning: 'Calls a month, or none.' },
    },
    check: checkQuota,
    lines: (changed) => [subscriberLine(changed)],
    example:
      `${offering('offer3')} && ${newSolution('user3', 'Using')} ` +
      'solution service add --solution user3 --service offer3 && ' +
      'npx millrace interface quota --solution offer3 --subscriber user3 --daily 1000',
  }),
}

function toPlace(input: Input, dir: string | undefined, file: string | undefined) {
  if (dir !== undefined && file === undefined) return { dir: input.path(dir) }
  if (file !== undefined && dir === undefined) return { file: input.path(file) }
  throw new UsageError('--dir or --file is needed, and not both')
}

/** @throws UsageError without a quota. */
function checkQuota({ daily, monthly }: Given): void {
  if (daily === undefined && monthly === undefined) {
    throw new UsageError('--daily or --monthly is needed')
  }
}

/** A breaking change with the subscribers that it hits. */
function changeLine({ part, name, change, subscribers }: Schemas['BreakingChange']): string {
  const what = part === 'mode' ? part : `${part} ${name}`
  const hit = subscribers.map((one) => one.solution_id)
  return `${what}: ${change}  ${hit.length === 0 ? 'no subscriber' : hit.join(' ')}`
}

/** A subscription in a line: ids, and of each quota what is used. */
function subscriberLine({ id, solution_id, quota, used }: Schemas['Subscriber']): string {
  const quotas = (['calls_daily', 'calls_monthly'] as const).flatMap((name) => {
    return quota[name] === undefined ? [] : [`${name} ${used[name]}/${quota[name]}`]
  })
  return [solution_id, id, ...quotas].join('  ')
}
