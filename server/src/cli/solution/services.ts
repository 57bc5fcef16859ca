import { isJsonObject } from '../../kernel/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { solutionOptions, withSolution } from './owner.ts'

export const solutionServiceAdd: Command = {
  name: 'solution service add',
  summary: 'Add a service to a solution, and print the id of its configuration.',
  options: {
    ...solutionOptions,
    service: { meaning: 'Its name, or the id of a connector or a solution.', required: true },
    key: { meaning: "Its name in scripts. Default: the service's own." },
    config: { meaning: 'Its configuration, as JSON.', default: '{}' },
  },
  example:
    'npx millrace solution create --id serve1 --name Served && ' +
    'npx millrace solution service add --solution serve1 --service demo --key pumps',
  run: ({ service = '', key, config = '', ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      const body = objectOf(config)
      const wanted = { service, body, alias: key }
      const { id, alias } = await scripting.configurations.add(...where, wanted)
      print(`${id}  ${alias}`)
      return 0
    }),
}

function objectOf(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    if (isJsonObject(value)) return value
  } catch {
    throw new UsageError('--config is no JSON')
  }
  throw new UsageError('--config is a JSON object')
}

export const solutionServiceList: Command = {
  name: 'solution service list',
  summary: 'Print the services of a solution.',
  options: solutionOptions,
  example:
    'npx millrace solution create --id list1 --name Listed && ' +
    'npx millrace solution service list --solution list1',
  run: (values) =>
    withSolution(values, async ({ scripting, where }) => {
      for (const { id, alias, service } of await scripting.configurations.list(...where)) {
        print(`${id}  ${alias}  ${service}`)
      }
      return 0
    }),
}

export const solutionServiceRemove: Command = {
  name: 'solution service remove',
  summary: 'Remove a service from a solution; its handlers stay.',
  options: {
    ...solutionOptions,
    key: { meaning: 'Its name in scripts.', required: true },
  },
  example:
    'npx millrace solution create --id less1 --name Less && ' +
    'npx millrace solution service add --solution less1 --service demo --key pumps && ' +
    'npx millrace solution service remove --solution less1 --key pumps',
  run: ({ key = '', ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      const all = await scripting.configurations.list(...where)
      const found = all.find(({ alias }) => alias.toLowerCase() === key.toLowerCase())
      if (found === undefined) throw new UsageError(`the solution has no service ${key}`)
      await scripting.configurations.remove(...where, found.id)
      print(`${found.alias} is removed`)
      return 0
    }),
}
