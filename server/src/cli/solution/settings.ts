import { solutionBody } from '../../management/index.ts'
import type { SolutionInput } from '../../scripting/index.ts'
import { type Command, print } from '../command.ts'
import { jsonOfFile } from '../json-file.ts'
import { solutionOptions, withSolution } from './owner.ts'

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
