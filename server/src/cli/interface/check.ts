import { readServiceBody } from '@millrace/cli/folder'
import { Fault } from '../../kernel/index.ts'
import { type Impact, partLabel } from '../../services/interface/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { solutionOptions, withSolution } from '../owner.ts'

export const interfaceCheck: Command = {
  name: 'interface check',
  summary: 'Compare a definition with the live one; exit with 1 if it breaks a subscriber.',
  options: {
    ...solutionOptions,
    dir: { meaning: 'The folder of the solution, with services/interface.yaml.' },
    file: { meaning: 'The definition alone, YAML or JSON, in place of --dir.' },
  },
  operand: 'solution',
  example:
    'npx millrace solution create --id offer5 --name Offering && ' +
    'npx millrace solution service add --solution offer5 --service interface && ' +
    `echo '{"operations": [{"name": "ping", "script": "return 1"}]}' > offer5.json && ` +
    'npx millrace interface check offer5 --file offer5.json',
  run: ({ dir, file, ...values }) =>
    withSolution(values, async ({ platform, where }) => {
      const body = await readServiceBody(whereIs(dir, file), 'interface')
      const impacts = await platform.interfaces.definitionCheck.check(...where, body)
      for (const impact of impacts) print(lineOf(impact))
      if (impacts.length > 0) return 1
      print('nothing that others rely on is taken away')
      return 0
    }),
}

function whereIs(dir: string | undefined, file: string | undefined) {
  if (dir !== undefined && file === undefined) return { dir }
  if (file !== undefined && dir === undefined) return { file }
  throw new UsageError('--dir or --file is needed, and not both')
}

/** The breaking changes, each with its subscribers. */
function lineOf(impact: Impact): string {
  const hit = impact.subscribers.map(({ solution_id }) => solution_id)
  const whom = hit.length === 0 ? 'no subscriber' : hit.join(' ')
  return `${partLabel(impact)}: ${impact.change}  ${whom}`
}

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
