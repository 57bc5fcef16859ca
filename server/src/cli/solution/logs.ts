import { logLevels, type SolutionLine, solutionLineKinds } from '../../activity/index.ts'
import { type Command, print } from '../command.ts'
import { timeOf } from '../device/list.ts'
import { logOptions, printLog, wordsOf } from '../log.ts'
import { printable } from '../terminal.ts'
import { cpuOf } from './calls.ts'
import { solutionOptions, withSolution } from './owner.ts'
import { placeIn } from './source-place.ts'

export const solutionLogs: Command = {
  name: 'solution logs',
  summary:
    'Print the log of a solution, oldest line first; with --follow, keep printing new lines.',
  options: {
    ...solutionOptions,
    ...logOptions,
    level: { meaning: `Print only these levels, separated by commas: ${logLevels.join(', ')}.` },
    type: {
      meaning: `Print only these types, separated by commas: ${solutionLineKinds.join(', ')}.`,
    },
    tracking: { meaning: 'Print only lines of one call, by its tracking id.' },
  },
  example:
    'npx millrace solution create --id logs1 --name Logged && ' +
    'npx millrace solution logs --solution logs1 --level warn,error --limit 5',
  run: ({ follow, limit, level, type, text, tracking: trackingId, ...values }) =>
    withSolution(values, async ({ platform, where: owner }) => {
      const levels = wordsOf('level', level, logLevels)
      const filter = { levels, kinds: wordsOf('type', type, solutionLineKinds), text, trackingId }
      const log = platform.activity.solutions
      await printLog({ log, owner, filter, format: formatLine }, { limit, follow })
      return 0
    }),
}

export function printLines(lines: readonly SolutionLine[]): void {
  for (const line of lines) print(formatLine(line))
}

const levelWidth = 5

function formatLine({ at, level, handler, text, usage, trace = [] }: SolutionLine): string {
  const who = handler === '' ? '' : `  ${handler}`
  const cost = usage === undefined ? '' : `  ${Math.round(usage.wallMs)} ms, ${cpuOf(usage.cpuMs)}`
  // The first place of a trace stands in the text, unless that is of an error that is a value.
  const more = trace.length > 1 || placeIn(text) === undefined
  const places = more ? trace.map((place) => `\n  at ${place}`).join('') : ''
  return printable(`${timeOf(at)}  ${level.padEnd(levelWidth)}${who}  ${text}${cost}${places}`)
}
