import { omitUndefined } from '../../kernel/index.ts'
import {
  formatLineKey,
  logLevels,
  parseLineKey,
  type ScriptLine,
  type ScriptLineKey,
  type ScriptLinesAsked,
  scriptLineKinds,
} from '../../scripting/index.ts'
import { type Fields, fieldsOf, invalid, textOf } from './fields.ts'
import { limitOf, shortText, wordsOf } from './log.ts'

const served = ['limit', 'before', 'level', 'type', 'tracking_id', 'text']

/** The part of a solution's log that a query asks for. @throws Fault invalid_argument */
export function parseSolutionLogQuery(query: Fields): ScriptLinesAsked {
  const asked = Object.entries(query).filter(([, value]) => value !== '')
  const fields = fieldsOf('query', Object.fromEntries(asked), served)
  const { limit, before, level, type, tracking_id: trackingId, text } = fields
  return omitUndefined({
    limit: limit === undefined ? undefined : limitOf(limit),
    before: before === undefined ? undefined : keyOf(before),
    levels: level === undefined ? undefined : wordsOf('level', level, logLevels),
    kinds: type === undefined ? undefined : wordsOf('type', type, scriptLineKinds),
    trackingId: trackingId === undefined ? undefined : shortText('tracking_id', trackingId),
    text: text === undefined ? undefined : shortText('text', text),
  })
}

/** Returns where a live view resumes; an invalid line id means from now on. */
export function parseSolutionResume(
  header: string | string[] | undefined,
): ScriptLineKey | undefined {
  return typeof header === 'string' ? parseLineKey(header.trim()) : undefined
}

/** A line as the API shows it. */
export function solutionLineBody(line: ScriptLine): Fields {
  const { at, id, kind, trackingId, usage, ...rest } = line
  return {
    id: formatLineKey({ at, id }),
    timestamp: at,
    type: kind,
    ...rest,
    tracking_id: trackingId,
    ...(usage && {
      usage: {
        cpu_ms: tenth(usage.cpuMs),
        service_calls: usage.serviceCalls,
        wall_ms: Math.round(usage.wallMs),
      },
    }),
  }
}

function tenth(ms: number): number {
  return Math.round(ms * 10) / 10
}

function keyOf(value: unknown): ScriptLineKey {
  const key = parseLineKey(textOf('before', value))
  if (key === undefined) throw invalid('before', 'must be the id of a line')
  return key
}
