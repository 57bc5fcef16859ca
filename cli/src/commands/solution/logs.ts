import {
  type components,
  enums,
  type FollowOptions,
  follow,
  type MillraceClient,
  type operations,
  unwrap,
} from '@millrace/client'
import { defineCommand } from '../../command.ts'
import { wholeNumber } from '../../input.ts'
import { logOptions, parseWords, printLog } from '../../output/log.ts'
import { formatTime } from '../../output/output.ts'
import { formatCpu } from '../../solution/calls.ts'
import { placeIn } from '../../solution/source-place.ts'
import { solutionOption } from '../options.ts'

type SolutionLine = components['schemas']['SolutionLine']

const levels = enums.LogLevel
const types = enums.SolutionLineType

export const solutionLogs = defineCommand({
  options: {
    solution: solutionOption,
    ...logOptions,
    level: { meaning: `Print only these levels, separated by commas: ${levels.join(', ')}.` },
    type: { meaning: `Print only these types, separated by commas: ${types.join(', ')}.` },
    tracking: { meaning: 'Print only lines of one call, by its tracking id.' },
  },
  example:
    'npx millrace solution create --id logs1 --name Logged && ' +
    'npx millrace solution logs --solution logs1 --level warn,error --limit 5',
  routes: ['listSolutionLog'],
  async run(
    { solution, follow: isFollowed, limit: limitText, level, type, text, tracking },
    context,
  ) {
    const limit = wholeNumber('limit', limitText)
    const wantedLevels = parseWords('level', level, levels)
    const wantedTypes = parseWords('type', type, types)
    const filter = {
      ...(wantedLevels !== undefined && { level: wantedLevels }),
      ...(wantedTypes !== undefined && { type: wantedTypes }),
      ...(text !== undefined && { text }),
      ...(tracking !== undefined && { tracking_id: tracking }),
    }
    const api = await context.client()
    const log = Object.assign(makeLog(api, solution, filter), { limit, isFollowed })
    return printLog(log, context)
  },
})

type LogQuery = NonNullable<operations['listSolutionLog']['parameters']['query']>
type Filter = Pick<LogQuery, 'level' | 'type' | 'text' | 'tracking_id'>

/** A solution's log, as it is printed. */
function makeLog(api: MillraceClient, solution: string, query: Filter) {
  return {
    open: followLog(api, solution, query),
    format: formatLine,
    page: (limit: number) => readLog(api, solution, Object.assign({ limit }, query)),
  }
}

/** Reads a page of a solution's log. */
export async function readLog(api: MillraceClient, solution: string, query: LogQuery) {
  const params = { path: { solution }, query }
  return unwrap(api.GET('/api:1/solution/{solution}/logs', { params }))
}

/** The live view of a solution's log. */
export function followLog(api: MillraceClient, solution: string, query: Filter = {}) {
  return (options: FollowOptions) =>
    follow(api, '/api:1/solution/{solution}/logs', { path: { solution }, query }, options)
}

const levelWidth = 5

export function formatLine({ timestamp, level, handler, text, usage, trace = [] }: SolutionLine) {
  const who = handler === '' ? '' : `  ${handler}`
  const cost =
    usage === undefined ? '' : `  ${Math.round(usage.wall_ms)} ms, ${formatCpu(usage.cpu_ms)}`
  // The first place of a trace stands in the text, unless that is of an error that is a value.
  const more = trace.length > 1 || placeIn(text) === undefined
  const places = more ? trace.map((place) => `\n  at ${place}`).join('') : ''
  return `${formatTime(timestamp)}  ${level.padEnd(levelWidth)}${who}  ${text}${cost}${places}`
}
