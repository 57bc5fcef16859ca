import {
  formatKey,
  type Line,
  type LineKey,
  type LinesAsked,
  lineKinds,
  parseKey,
  severities,
} from '../../eventlog/index.ts'
import { limits, omitUndefined } from '../../kernel/index.ts'
import { fieldsOf, invalid, textOf } from './fields.ts'
import { wholeNumber } from './identity.ts'

const served = ['limit', 'before', 'identity', 'type', 'severity', 'text']

/** The part of a log that a query asks for. @throws Fault invalid_argument */
export function parseLogQuery(query: Readonly<Record<string, unknown>>): LinesAsked {
  const asked = Object.entries(query).filter(([, value]) => value !== '')
  const fields = fieldsOf('query', Object.fromEntries(asked), served)
  const { limit, before, identity, type, severity, text } = fields
  return omitUndefined({
    limit: limit === undefined ? undefined : limitOf(limit),
    before: before === undefined ? undefined : parseBefore(before),
    identity: identity === undefined ? undefined : shortText('identity', identity),
    kinds: type === undefined ? undefined : wordsOf('type', type, lineKinds),
    severity:
      severity === undefined
        ? undefined
        : oneOf('severity', textOf('severity', severity), severities),
    text: text === undefined ? undefined : shortText('text', text),
  })
}

/** Returns where a live view resumes; an invalid line id means from now on. */
export function parseResume(header: string | string[] | undefined): LineKey | undefined {
  return typeof header === 'string' ? parseKey(header.trim()) : undefined
}

/** A line as the API shows it. */
export function lineBody({ at, kind, part, seq, ...rest }: Line) {
  return { id: formatKey({ at, part, seq }), timestamp: at, type: kind, ...rest }
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
export function wordsOf<Choice extends string>(
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
export function shortText(name: string, value: unknown): string {
  const text = textOf(name, value)
  if (text.length <= limits.settingCharsMax && !text.includes('\0')) return text
  throw invalid(name, `must be a text of at most ${limits.settingCharsMax} characters`)
}
