import { limits } from '../../kernel/index.ts'
import { logLevels, type ScriptLine, type ScriptLineFilter } from '../../scripting/index.ts'
import { type Command, print, UsageError } from '../command.ts'
import { timeOf, wholeNumber } from '../device/list.ts'
import { untilStopped } from '../signals.ts'
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
    follow: { meaning: 'Keep printing new lines until Ctrl-C.', flag: true },
    limit: { meaning: 'The number of stored lines to print.', default: '20' },
    level: { meaning: `Print only these levels, separated by commas: ${logLevels.join(', ')}.` },
    text: { meaning: 'Print only lines that contain this text.' },
    tracking: { meaning: 'Print only lines of one call, by its tracking id.' },
  },
  example:
    'npx millrace solution create --id logs1 --name Logged && ' +
    'npx millrace solution logs --solution logs1 --level warn,error --limit 5',
  run: ({ follow, limit: limitText, level, text, tracking, ...values }) =>
    withSolution(values, async ({ scripting, where }) => {
      const limit = wholeNumber('limit', limitText)
      if (limit > limits.pageMax) throw new UsageError(`--limit is at most ${limits.pageMax}`)
      const filter: ScriptLineFilter = { levels: levelsOf(level), text, trackingId: tracking }
      const asked = { ...filter, limit: Math.max(limit, 1) }
      const { lines } = await scripting.log.lines(...where, asked)
      printLines(limit === 0 ? [] : [...lines].reverse())
      if (follow !== undefined) {
        const [businessId, solutionId] = where
        const [after] = lines
        scripting.log.tail({ businessId, solutionId, filter, after, listener: printLines })
        await untilStopped()
      }
      return 0
    }),
}

function levelsOf(text: string | undefined): ScriptLineFilter['levels'] {
  return text?.split(',').map((name) => {
    const level = logLevels.find((one) => one === name.trim())
    if (level === undefined) throw new UsageError(`--level is one of ${logLevels.join(', ')}`)
    return level
  })
}

export function printLines(lines: readonly ScriptLine[]): void {
  for (const line of lines) print(formatLine(line))
}

const levelWidth = 5

function formatLine({ at, level, handler, text, usage, trace = [] }: ScriptLine): string {
  const who = handler === '' ? '' : `  ${handler}`
  const cost = usage === undefined ? '' : `  ${Math.round(usage.wallMs)} ms, ${cpuOf(usage.cpuMs)}`
  // The first place of a trace stands in the text, unless that is of an error that is a value.
  const more = trace.length > 1 || placeIn(text) === undefined
  const places = more ? trace.map((place) => `\n  at ${place}`).join('') : ''
  return printable(`${timeOf(at)}  ${level.padEnd(levelWidth)}${who}  ${text}${cost}${places}`)
}
