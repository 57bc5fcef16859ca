import {
  type ConnectorFilter,
  type ConnectorLine,
  connectorLineKinds,
  formatKey,
  type LineKey,
  logLevels,
  type PageOptions,
  parseKey,
  type SolutionFilter,
  type SolutionLine,
  severities,
  solutionLineKinds,
} from '../../activity/index.ts'
import { limits, omitUndefined } from '../../kernel/index.ts'
import { type Fields, fieldsOf, invalid, textOf } from './fields.ts'
import { wholeNumber } from './identity.ts'

/** One kind of logs as the API has it. */
export type LogWire<Line, Filter> = {
  /** The parameters of the filter, each with its parser. */
  readonly parameters: Readonly<Record<string, (name: string, value: unknown) => unknown>>
  filter(values: Readonly<Record<string, unknown>>): Filter
  /** The fields of a line beside its id, its time and its type. */
  body(line: Line): Fields
}

export const connectorLogWire: LogWire<ConnectorLine, ConnectorFilter> = {
  parameters: {
    identity: shortText,
    type: (name, value) => wordsOf(name, value, connectorLineKinds),
    severity: (name, value) => oneOf(name, textOf(name, value), severities),
    text: shortText,
  },
  filter: ({ type: kinds, ...filter }) => ({ ...filter, kinds }) as ConnectorFilter,
  body: ({ at, part, seq, kind, ...fields }) => fields,
}

export const solutionLogWire: LogWire<SolutionLine, SolutionFilter> = {
  parameters: {
    level: (name, value) => wordsOf(name, value, logLevels),
    type: (name, value) => wordsOf(name, value, solutionLineKinds),
    tracking_id: shortText,
    text: shortText,
  },
  filter: ({ type: kinds, level: levels, tracking_id: trackingId, text }) =>
    ({ kinds, levels, trackingId, text }) as SolutionFilter,
  body({ at, part, seq, kind, trackingId, usage, ...fields }) {
    return { ...fields, tracking_id: trackingId, ...(usage && { usage: usageBody(usage) }) }
  },
}

function usageBody({ cpuMs, serviceCalls, wallMs }: NonNullable<SolutionLine['usage']>): Fields {
  const cpu = Math.round(cpuMs * 10) / 10
  return { cpu_ms: cpu, service_calls: serviceCalls, wall_ms: Math.round(wallMs) }
}

/** The part of a log that a query asks for. @throws Fault invalid_argument */
export function parseLogQuery<Filter>(
  { parameters, filter }: Pick<LogWire<never, Filter>, 'parameters' | 'filter'>,
  query: Fields,
): Filter & PageOptions {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  const names = ['limit', 'before', ...Object.keys(parameters)]
  const { limit, before, ...rest } = fieldsOf('query', Object.fromEntries(given), names)
  const values = Object.entries(rest).map(([name, value]) => [
    name,
    parameters[name]?.(name, value),
  ])
  const page = {
    limit: limit === undefined ? undefined : limitOf(limit),
    before: before === undefined ? undefined : parseBefore(before),
  }
  return omitUndefined({ ...filter(Object.fromEntries(values)), ...page })
}

/** Returns where a live view resumes; an invalid line id means from now on. */
export function parseResume(header: string | string[] | undefined): LineKey | undefined {
  return typeof header === 'string' ? parseKey(header.trim()) : undefined
}

/** A line as the API shows it. */
export function lineBody<Line extends LineKey & { readonly kind: string }>(
  { body }: Pick<LogWire<Line, never>, 'body'>,
  line: Line,
): Fields {
  return { id: formatKey(line), timestamp: line.at, type: line.kind, ...body(line) }
}

/** @throws Fault invalid_argument */
export function limitOf(value: unknown): number {
  const limit = wholeNumber(value)
  if (typeof limit === 'number' && limit >= 1 && limit <= limits.pageMax) return limit
  throw invalid('limit', `must be a whole number from 1 to ${limits.pageMax}`)
}

function parseBefore(value: unknown): LineKey {
  const key = parseKey(textOf('before', value))
  if (key === undefined) throw invalid('before', 'must be the id of a line')
  return key
}

/** Choices with commas between them, or given several times. @throws Fault invalid_argument */
function wordsOf<Choice extends string>(
  name: string,
  value: unknown,
  choices: readonly Choice[],
): Choice[] {
  const texts = Array.isArray(value) ? value : textOf(name, value).split(',')
  return texts.map((text) => oneOf(name, textOf(name, text).trim(), choices))
}

function oneOf<Choice extends string>(
  name: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === text)
  if (chosen === undefined) throw invalid(name, `must be one of ${choices.join(', ')}`)
  return chosen
}

/** @throws Fault invalid_argument */
function shortText(name: string, value: unknown): string {
  const text = textOf(name, value)
  if (text.length <= limits.settingCharsMax && !text.includes('\0')) return text
  throw invalid(name, `must be a text of at most ${limits.settingCharsMax} characters`)
}
