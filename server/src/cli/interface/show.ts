import { Fault } from '../../kernel/index.ts'
import { type Command, print } from '../command.ts'
import { solutionOptions, withSolution } from '../solution/owner.ts'

export const interfaceShow: Command = {
  name: 'interface show',
  summary: 'Print the service that a solution exposes, as JSON.',
  options: solutionOptions,
  example:
    'npx millrace solution create --id offer1 --name Offering && ' +
    'npx millrace solution service add --solution offer1 --service interface && ' +
    'npx millrace interface show --solution offer1',
  run: (values) =>
    withSolution(values, async ({ scripting, where }) => {
      const all = await scripting.configurations.list(...where)
      const exposed = all.find(({ service }) => service === 'interface')
      if (exposed === undefined) throw new Fault('not_found', 'The solution exposes nothing.')
      print(JSON.stringify(exposed.parameters, undefined, 2))
      return 0
    }),
}
