import { solutionBody } from '../../management/index.ts'
import { limitWords, type SolutionInput } from '../../scripting/index.ts'
import { type Command, print, withPlatform } from '../command.ts'
import { jsonOfFile } from '../input.ts'
import { businessOf, businessOption } from '../owner.ts'
import { solutionOptions, withSolution } from './owner.ts'

export const solutionCreate: Command = {
  name: 'solution create',
  summary: 'Create a solution, and print its id.',
  options: {
    name: { meaning: 'Its name.', required: true },
    id: {
      meaning: 'Its id: lower-case letters and digits, a letter first. Default: generated.',
    },
    business: businessOption,
  },
  example: 'npx millrace solution create --name "Pump station"',
  run: ({ business, name = '', id }) =>
    withPlatform(async (platform) => {
      const owner = await businessOf(platform, business)
      const wanted = { name, ...(id === undefined ? {} : { id }) }
      print((await platform.scripting.solutions.create(owner.id, wanted)).id)
      return 0
    }),
}

export const solutionList: Command = {
  name: 'solution list',
  summary: 'Print the solutions of a business, oldest first.',
  options: { business: businessOption },
  example: 'npx millrace solution list',
  run: ({ business }) =>
    withPlatform(async (platform) => {
      const { id } = await businessOf(platform, business)
      for (const solution of await platform.scripting.solutions.list(id)) {
        print(`${solution.id}  version ${solution.version}  ${solution.name}`)
      }
      return 0
    }),
}

export const solutionShow: Command = {
  name: 'solution show',
  summary: 'Print the limits, services and scripts of a solution.',
  options: solutionOptions,
  example:
    'npx millrace solution create --id show1 --name Shown && ' +
    'npx millrace solution show --solution show1',
  run: (values) =>
    withSolution(values, async ({ scripting, where }) => {
      const { id, name, version, limits } = await scripting.solutions.get(...where)
      print(`${id}  version ${version}  ${name}`)
      for (const [limit, word] of Object.entries(limitWords)) {
        const value = limits[limit as keyof typeof limitWords]
        if (value !== undefined) print(`limit    ${word} ${value}`)
      }
      for (const { service, alias, id: row } of await scripting.configurations.list(...where)) {
        print(`service  ${alias}  ${service}  ${row}`)
      }
      for (const { kind, name: script, file } of await scripting.scripts.list(...where)) {
        print(`${kind.padEnd(8)} ${script}  ${file}`)
      }
      return 0
    }),
}

export const solutionSettings: Command = {
  name: 'solution settings',
  summary: 'Show the settings of a solution, or change those that a file names.',
  options: {
    ...solutionOptions,
    file: { meaning: 'JSON in the shape that is shown; omitted fields stay as they are.' },
  },
  example:
    'npx millrace solution create --id set1 --name Set && ' +
    'echo \'{"reuse_vm": false, "limits": {"wall_ms": 5000}}\' > set1.json && ' +
    'npx millrace solution settings --solution set1 --file set1.json',
  run: ({ file, ...values }) =>
    withSolution(values, async ({ scripting: { solutions }, where }) => {
      const now =
        file === undefined
          ? await solutions.get(...where)
          : await solutions.patch(...where, (await jsonOfFile('file', file)) as SolutionInput)
      const { name, description, limits, reuse_vm } = solutionBody(now)
      print(JSON.stringify({ name, description, limits, reuse_vm }, null, 2))
      return 0
    }),
}

export const solutionDelete: Command = {
  name: 'solution delete',
  summary: 'Delete a solution with its scripts, services and failures.',
  options: solutionOptions,
  example:
    'npx millrace solution create --id gone1 --name Gone && ' +
    'npx millrace solution delete --solution gone1',
  run: (values) =>
    withSolution(values, async ({ scripting, where }) => {
      await scripting.solutions.remove(...where)
      print(`${where[1]} is removed`)
      return 0
    }),
}
