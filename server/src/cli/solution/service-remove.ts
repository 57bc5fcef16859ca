import { type Command, print, UsageError } from '../command.ts'
import { solutionOptions, withSolution } from './owner.ts'

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
