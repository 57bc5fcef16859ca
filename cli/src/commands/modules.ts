import type { Call } from '../call.ts'
import { type Context, command, exitCodes, UsageError } from '../command.ts'
import { list, operation } from '../operation.ts'
import { columns } from '../output/output.ts'
import { callCommands } from './failures.ts'
import { problemLine } from './listings.ts'
import {
  type ParameterOptionValues,
  parameterOptions,
  readParameters,
} from './module-parameters.ts'

const add = 'npx millrace module add --address http://127.0.0.1:9401'

const idOption = { as: 'module', meaning: 'The id of the module; see millrace module list.' }
const ownIdOption = { meaning: idOption.meaning, required: true } as const

/** The commands of the insight modules of a business, and of their calls that failed. */
export const commands = {
  'module add': command('Use an insight module, by its address or a listing, and print its id.', {
    options: {
      name: { meaning: "The name of the module. Default: the module's own." },
      address: {
        meaning:
          'Its base, or the URL of its definition. A private one must be in MILLRACE_OUTBOUND_ALLOW of the instance.',
      },
      base: { meaning: 'Where it is served, if the host of its definition is wrong.' },
      listing: {
        meaning: 'The id of a listing, in place of --address; see millrace listing list.',
      },
      ...parameterOptions,
    },
    example: `${add} --name Vibration`,
    routes: ['addModule', 'getListing'],
    async run({ name, address: url, base, listing, ...values }, { call, input, out }) {
      if ((url === undefined) === (listing === undefined)) {
        throw new UsageError('Either --address or --listing is needed')
      }
      const declared =
        listing === undefined ? [] : (await call('getListing', { listing })).parameters
      const parameters = await readParameters(input, declared, values)
      const given = Object.keys(parameters).length > 0 ? parameters : undefined
      const body = { name, url, base, listing, parameters: given }
      const module = await call('addModule', body as Parameters<typeof call<'addModule'>>[1] & {})
      out.show(module, () => [module.id])
      for (const complaint of module.complaints) out.note(complaint)
    },
  }),
  'module list': list('listModules', 'modules', {
    summary: 'Print the insight modules of a business, the built-in one first.',
    row: ({ id, url, name }) => [id, url ?? 'built in', name],
    example: 'npx millrace module list',
  }),
  'module show': operation('getModule', {
    summary: 'Print an insight module with its parameters, its health and all complaints.',
    options: { id: idOption },
    lines({ name, url, listing, parameters, problems, complaints, health, simulationSafe }) {
      const failures = `${health.failuresInRow} in a row, the last: ${health.lastFailure}`
      return columns([
        ['name', name],
        ['url', url ?? 'built in'],
        ['simulation', simulationSafe ? 'calls it' : 'uses what was recorded'],
        ['listing', listing === null ? 'none' : `${listing.id}${listing.own ? '' : ' of another'}`],
        ...parameters.map(({ name: parameter, secret, isSet, value, required }) => {
          const missing = required ? 'missing' : 'not set'
          const shown = secret ? 'set, not shown' : String(value)
          return ['parameter', `${parameter}: ${isSet ? shown : missing}`]
        }),
        ...problems.map((problem) => ['problem', problemLine(problem)]),
        ...complaints.map((complaint) => ['complaint', complaint]),
        ...(health.failuresInRow > 0 ? [['failures', failures]] : []),
      ])
    },
    example: `npx millrace module show $(${add} --name Shown)`,
  }),
  'module address': operation('getModuleAddress', {
    summary: 'Ask whether the instance may call an insight module at a URL.',
    options: { address: { as: 'url', meaning: 'The URL of a module, or of its definition.' } },
    operand: 'address',
    lines: ({ reason }, { address }) => [reason ?? `the instance may call ${address}`],
    code: ({ allowed }) => (allowed ? exitCodes.done : exitCodes.failed),
    example: 'npx millrace module address http://127.0.0.1:9401',
  }),
  'module configure': command('Change the name or the parameters of an insight module.', {
    options: {
      id: ownIdOption,
      name: { meaning: 'Another name.' },
      simulation: {
        meaning: 'call: simulations call it; recorded: they use its recorded results.',
        choices: ['call', 'recorded'],
      },
      ...parameterOptions,
    },
    operand: 'id',
    example: `npx millrace module configure $(${add}) --name Vibration`,
    routes: ['getModule', 'changeModule'],
    async run({ id: module, name, simulation, ...values }, context) {
      const simulationSafe = simulation === undefined ? undefined : simulation === 'call'
      const parameters = await givenParameters(context, module, values)
      const change = { module, name, simulationSafe, parameters }
      const changed = await context.call('changeModule', change)
      context.out.show(changed, () => [`the module ${module} is configured`])
    },
  }),
  'module move': command('Move an insight module to another host; its links go on there.', {
    options: {
      id: ownIdOption,
      address: { meaning: 'Where it is served now; its links go on there.', required: true },
      ...parameterOptions,
    },
    operand: 'id',
    example: `npx millrace module move $(${add}) --address http://127.0.0.1:9401/`,
    routes: ['getModule', 'changeModule'],
    async run({ id: module, address: url, ...values }, context) {
      const parameters = await givenParameters(context, module, values)
      const moved = await context.call('changeModule', { module, url, parameters })
      context.out.show(moved, () => [`the module ${module} is at ${moved.url}`])
      for (const complaint of moved.complaints) context.out.note(complaint)
    },
  }),
  'module check': operation('checkModule', {
    summary: 'Call an insight module, and print all that is wrong with it.',
    options: { id: idOption },
    lines: (found) => [
      ...faultsIn(found),
      ...(found.functions === null ? [] : [`it lists ${found.functions} functions`]),
    ],
    code: (found) => (faultsIn(found).length > 0 ? exitCodes.failed : exitCodes.done),
    example: `npx millrace module check $(${add}) || true`,
  }),
  'module refresh': operation('refreshModule', {
    summary: 'Read an insight module again: its definition, what it is, and its functions.',
    options: { id: idOption },
    lines: (_module, { id }) => [`the module ${id} is read again`],
    notes: ({ complaints }) => complaints,
    example: `npx millrace module refresh $(${add})`,
  }),
  'module remove': operation('removeModule', {
    summary: 'Remove an insight module that no link uses, or with its links.',
    options: { id: idOption, force: 'Remove its links as well; their signals stay.' },
    preview: 'getModuleDependants',
    confirm: ({ id, force }) => `Remove the module ${id}${force ? ' with its links' : ''}?`,
    done: 'the module {id} is removed',
    example: `ID=$(${add} --name Trial) && npx millrace module remove $ID --yes`,
  }),
  ...callCommands,
}

async function givenParameters(
  { call, input }: { readonly call: Call; readonly input: Context['input'] },
  module: string,
  values: ParameterOptionValues,
) {
  if (values.set.length + values['secret-file'].length === 0) return undefined
  const { parameters } = await call('getModule', { module })
  return readParameters(input, parameters, values)
}

type Checked = {
  readonly problems: readonly { readonly pointer: string; readonly detail: string }[]
  readonly complaints: readonly string[]
  readonly failure: string | null
}

function faultsIn({ problems, complaints, failure }: Checked): string[] {
  return [
    ...problems.map((problem) => `definition ${problemLine(problem)}`),
    ...complaints,
    ...(failure === null ? [] : [failure]),
  ]
}
