import { type Command, print } from '../command.ts'
import { writeFolder } from './folder.ts'
import { solutionOptions, withSolution } from './owner.ts'

export const solutionPull: Command = {
  name: 'solution pull',
  summary: "Write a solution's scripts and services into a folder, as they were pushed.",
  options: {
    ...solutionOptions,
    dir: { meaning: 'The folder; files of the same names are overwritten.', required: true },
  },
  example:
    'npx millrace solution create --id pull1 --name Pulled && ' +
    'npx millrace solution pull --solution pull1 --dir pull1',
  run: ({ dir = '', ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      const files = await scripting.folders.pull(...where)
      await writeFolder(dir, files)
      print(`${files.length} files`)
      return 0
    }),
}
