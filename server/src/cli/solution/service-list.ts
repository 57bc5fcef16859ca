import { type Command, print } from '../command.ts'
import { solutionOptions, withSolution } from './owner.ts'

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
