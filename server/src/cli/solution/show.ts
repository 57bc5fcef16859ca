import { limitWords } from '../../scripting/index.ts'
import { type Command, print } from '../command.ts'
import { solutionOptions, withSolution } from './owner.ts'

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
