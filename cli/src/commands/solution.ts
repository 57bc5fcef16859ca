import type { components } from '@millrace/client'
import { command } from '../command.ts'
import { list, operation } from '../operation.ts'
import { columns } from '../output/output.ts'
import { eventCommands } from './failures.ts'
import { newSolution, solutionOption } from './options.ts'
import { serviceCommands } from './solution/services.ts'

type Schemas = components['schemas']

/** The commands of solutions. */
export const commands = {
  'solution create': operation('createSolution', {
    summary: 'Create a solution, and print its id.',
    options: {
      name: 'Its name.',
      id: 'Its id: lower-case letters and digits, a letter first. Default: generated.',
    },
    lines: ({ id }) => [id],
    example: 'npx millrace solution create --name "Pump station"',
  }),
  'solution list': list('listSolutions', 'solutions', {
    summary: 'Print the solutions of a business, oldest first.',
    options: { text: 'Letters of the id or the name.' },
    row: ({ id, version, name }) => [id, `version ${version}`, name],
    example: 'npx millrace solution list',
  }),
  'solution show': command('Print the limits, services and scripts of a solution.', {
    options: { solution: solutionOption },
    example: `${newSolution('show1', 'Shown')} solution show --solution show1`,
    routes: ['getSolution', 'listConfigurations', 'listScripts'],
    async run({ solution: id }, { call, out }) {
      const solution = await call('getSolution', { solution: id })
      const { items: services } = await call('listConfigurations', { solution: id })
      const { scripts } = await call('listScripts', { solution: id })
      out.show({ solution, services, scripts }, () => [
        `${solution.id}  version ${solution.version}  ${solution.name}`,
        ...(solution.behind === undefined ? [] : [behindLine(solution.behind)]),
        ...Object.entries(solution.limits).map(([word, value]) => `limit    ${word} ${value}`),
        ...services.map((one) => `service  ${one.script_key}  ${one.service}  ${one.id}`),
        ...scripts.map(({ kind, name, file }) => `${kind.padEnd(8)} ${name}  ${file}`),
      ])
    },
  }),
  'solution usage': list('getSolutionUsage', 'items', {
    summary: 'Print how much of its limits a solution uses now.',
    row: ({ limit, used, max }) => [limit, `${used} of ${max}`],
    example: `${newSolution('usage1', 'Used')} solution usage --solution usage1`,
  }),
  'solution settings': command(
    'Show the settings of a solution, or change those that a file names.',
    {
      options: {
        solution: solutionOption,
        file: { meaning: 'JSON in the shape that is shown; omitted fields stay as they are.' },
      },
      example:
        'npx millrace solution create --id set1 --name Set && ' +
        'echo \'{"reuse_vm": false, "limits": {"wall_ms": 5000}}\' > set1.json && ' +
        'npx millrace solution settings --solution set1 --file set1.json',
      routes: ['getSolution', 'updateSolution'],
      async run({ solution, file }, { call, input, out }) {
        // The instance checks what the file holds.
        const change = file === undefined ? undefined : await input.jsonOfFile('file', file)
        const shown =
          change === undefined
            ? await call('getSolution', { solution })
            : await call('updateSolution', { solution }, change)
        const { name, description, limits, reuse_vm } = shown
        const text = JSON.stringify({ name, description, limits, reuse_vm }, null, 2)
        out.show(shown, () => [text])
      },
    },
  ),
  'solution env': operation('listVariables', {
    summary: 'Print the variables of a solution, without their values.',
    lines: variableLines,
    example: `${newSolution('env1', 'Env')} solution env --solution env1`,
  }),
  'solution env set': command(
    'Set a variable of a solution, which its scripts read with os.getenv.',
    {
      options: {
        solution: solutionOption,
        name: { meaning: 'The name of the variable.', required: true },
        'value-file': {
          meaning:
            'A file with the value; - is the standard input. Left out: the value is asked for.',
        },
      },
      example:
        'npx millrace solution create --id env2 --name Env && echo f00 | ' +
        'npx millrace solution env set --solution env2 --name TOKEN --value-file -',
      routes: ['changeVariables'],
      async run({ solution, name, 'value-file': file }, { call, input, out }) {
        const value = await input.resolveSecret('value-file', file, `The value of ${name}`)
        const changed = await call('changeVariables', { solution, values: { [name]: value } })
        out.show(changed, () => variableLines(changed))
      },
    },
  ),
  'solution env remove': operation('changeVariables', {
    summary: 'Remove the value of a variable of a solution.',
    options: {
      name: {
        as: 'values',
        read: (_option, name) => ({ [name]: null }),
        meaning: 'The name of the variable.',
      },
    },
    lines: variableLines,
    example: `${newSolution('env3', 'Env')} solution env remove --solution env3 --name TOKEN`,
  }),
  'solution delete': operation('deleteSolution', {
    summary: 'Delete a solution with its scripts, services and failures.',
    preview: 'getSolutionDependants',
    confirm: 'Delete the solution {solution} with all that it has?',
    done: '{solution} is removed',
    example: `${newSolution('gone1', 'Gone')} solution delete --solution gone1 --yes`,
  }),
  'solution logs': {
    summary:
      'Print the log of a solution, oldest line first; with --follow, keep printing new lines.',
    load: async () => (await import('./solution/logs.ts')).solutionLogs,
  },
  ...eventCommands,
  'solution run': {
    summary: 'Run one handler now, and print its log and its result; it calls real services.',
    load: async () => (await import('./solution/run.ts')).solutionRun,
  },
  'solution replay': {
    summary: 'Run recorded events through changed scripts; calls that write are not made.',
    load: async () => (await import('./solution/replay.ts')).solutionReplay,
  },
  'solution stubs': {
    summary: 'Write what editors need to complete and check calls of services (LuaLS).',
    load: async () => (await import('./solution/stubs.ts')).solutionStubs,
  },
  ...serviceCommands,
  'solution push': {
    summary: "Replace a solution's scripts by those of a folder, all or nothing.",
    load: async () => (await import('./solution/push.ts')).solutionPush,
  },
  'solution new': {
    summary: 'Begin a solution in an empty folder, with tests.',
    load: async () => (await import('./solution/new.ts')).solutionNew,
  },
  'solution check': {
    summary: 'Check which parts of a folder do not work on this instance; exit with 1 on errors.',
    load: async () => (await import('./solution/check.ts')).solutionCheck,
  },
  'solution pull': {
    summary: "Write a solution's scripts and services into a folder, as they were pushed.",
    load: async () => (await import('./solution/push.ts')).solutionPull,
  },
  'solution test': {
    summary: 'Run the *_test.lua files of a folder on a temporary instance.',
    load: async () => (await import('./solution/test.ts')).solutionTest,
  },
  'solution dev': {
    summary: 'Push a folder at each save, and print each call of its scripts, until Ctrl-C.',
    load: async () => (await import('./solution/dev.ts')).solutionDev,
  },
}

function behindLine({ pending, oldest_at: at }: { pending: number; oldest_at: number }): string {
  return `behind   ${pending} events wait, the oldest since ${new Date(at / 1_000).toISOString()}`
}

function variableLines({ variables }: { readonly variables: readonly Schemas['Variable'][] }) {
  return columns(
    variables.map(({ name, is_set, has_default, required, description }) => {
      const state = is_set ? 'set' : has_default ? 'default' : required ? 'missing' : 'not set'
      return [name, state, description]
    }),
  )
}
