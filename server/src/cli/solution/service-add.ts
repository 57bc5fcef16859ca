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
  run: ({ service, key, config = '', ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      const body = objectOf(config)
      const wanted = { service, body, ...(key === undefined ? {} : { alias: key }) }
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
