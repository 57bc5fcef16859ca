import { type Command, print } from '../command.ts'
import { solutionOptions, withSolution } from './owner.ts'

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
