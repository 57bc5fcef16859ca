import { Fault, isJsonObject, limits, refuseOtherNames, tableField } from '../../kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'
import { type Aggregate, aggregates, type Point, type PointValue, type Query } from './point.ts'
import { asRelative, asSpan, asStamp, asTime } from './times.ts'

const refuse = (sentence: string) => new Fault('invalid_argument', sentence)

type Table = Readonly<Record<string, unknown>>

function asTable(value: unknown, names: readonly string[], what: string): Table {
  const table = tableField(what, value)
  refuseOtherNames(table, names)
  return table
}

/** @throws Fault invalid_argument: one datapoint is `{metrics, tags?, ts?}`. */
export function asPoints(solutionId: string, args: unknown, nowUs: number): Point[] {
  const { metrics, tags, ts } = asTable(args, ['metrics', 'tags', 'ts'], 'the argument')
  const named = Object.entries(isJsonObject(metrics) ? metrics : {})
  if (named.length === 0 || named.length > limits.tsdbMetricsMax) {
    throw refuse(`metrics must be a table of 1 to ${limits.tsdbMetricsMax} values by name`)
  }
  const time = ts === undefined ? nowUs : asStamp(ts, 'ts')
  const sorted = asTags(tags)
  return named.map(([name, value]) => ({
    ...{ solutionId, metric: asName(name, 'a metric'), tags: sorted, ts: time },
    value: asValue(value, name),
  }))
}

export function asDatapoints(solutionId: string, args: ScriptValue, nowUs: number): Point[] {
  const { datapoints } = asTable(args, ['datapoints'], 'the argument')
  if (!Array.isArray(datapoints) || datapoints.length > limits.tsdbPointsPerCallMax) {
    throw refuse(`datapoints must be a list of at most ${limits.tsdbPointsPerCallMax}`)
  }
  const points = datapoints.flatMap((one) => asPoints(solutionId, one, nowUs))
  if (points.length > limits.tsdbPointsPerCallMax) {
    throw refuse(`one call may write ${limits.tsdbPointsPerCallMax} values`)
  }
  return points
}

const queryNames = [
  ...['metrics', 'tags', 'start_time', 'end_time', 'relative_start', 'relative_end'],
  ...['sampling_size', 'aggregate', 'mode', 'order_by', 'limit', 'epoch'],
]

const epochs: Readonly<Record<string, number>> = { u: 1, ms: 1_000, s: 1_000_000 }

/** @throws Fault invalid_argument */
export function asQuery(args: ScriptValue, nowUs: number): Query {
  const given = asTable(args, queryNames, 'the argument')
  const { metrics, sampling_size, mode = 'merge', order_by = 'desc', epoch = 'u' } = given
  if (!Array.isArray(metrics) || metrics.length === 0 || metrics.length > limits.tsdbMetricsMax) {
    throw refuse(`metrics must be a list of 1 to ${limits.tsdbMetricsMax} names`)
  }
  if (mode !== 'merge' && mode !== 'split') throw refuse('mode must be merge or split')
  if (order_by !== 'asc' && order_by !== 'desc') throw refuse('order_by must be asc or desc')
  const epochUs = typeof epoch === 'string' && Object.hasOwn(epochs, epoch) ? epochs[epoch] : 0
  if (!epochUs) throw refuse('epoch must be u, ms or s')
  const asked = asAggregates(given.aggregate)
  if (sampling_size !== undefined && asked.length === 0) {
    throw refuse('sampling_size needs an aggregate')
  }
  return {
    metrics: metrics.map((name) => asName(name, 'a metric')),
    tags: asTags(given.tags),
    ...rangeOf(given, nowUs),
    ...{ order: order_by, mode, epochUs, aggregates: asked },
    limit: asLimit(given.limit),
    samplingUs: sampling_size === undefined ? undefined : asSpan(sampling_size, 'sampling_size'),
  }
}

function rangeOf(given: Table, nowUs: number): { from: number; to: number } {
  const { start_time, end_time, relative_start, relative_end } = given
  if (start_time !== undefined && relative_start !== undefined) {
    throw refuse('give start_time or relative_start, not both')
  }
  if (end_time !== undefined && relative_end !== undefined) {
    throw refuse('give end_time or relative_end, not both')
  }
  const from =
    start_time === undefined
      ? asRelative(relative_start, nowUs, 0, 'relative_start')
      : asTime(start_time, 'start_time')
  // What was written just now belongs to it.
  const to =
    end_time === undefined
      ? asRelative(relative_end, nowUs, nowUs + 1, 'relative_end')
      : asTime(end_time, 'end_time')
  if (from < to) return { from, to }
  throw refuse('the start must be before the end')
}

function asAggregates(value: unknown): Aggregate[] {
  const given = value === undefined ? [] : typeof value === 'string' ? [value] : value
  if (!Array.isArray(given)) throw refuse('aggregate must be a list')
  return [...new Set(given)].map((name) => {
    const aggregate = aggregates.find((one) => one === name)
    if (aggregate === undefined) throw refuse(`aggregate must be of ${aggregates.join(', ')}`)
    return aggregate
  })
}

function asLimit(value: unknown = limits.tsdbRows): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= limits.tsdbRowsMax) {
    return Number(value)
  }
  throw refuse(`limit must be 1 to ${limits.tsdbRowsMax}`)
}

/** Sorted, so that one set of tags is one text. */
function asTags(value: unknown = {}): string {
  const tags = Object.entries(isJsonObject(value) ? value : { '': '' })
  if (tags.length > limits.tsdbTagsMax) throw refuse(`there may be ${limits.tsdbTagsMax} tags`)
  const texts = tags.map(([name, tag]) => [
    asName(name, 'a tag'),
    asName(typeof tag === 'number' || typeof tag === 'boolean' ? String(tag) : tag, `tags.${name}`),
  ])
  return JSON.stringify(Object.fromEntries(texts.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))))
}

function asName(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= limits.tsdbNameCharsMax) {
    if (!value.includes('\0') && value.isWellFormed()) return value
  }
  throw refuse(`${what.slice(0, 40)} must be a text of 1 to ${limits.tsdbNameCharsMax} characters`)
}

function asValue(value: unknown, name: string): PointValue {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && Buffer.byteLength(value) <= limits.tsdbTextBytesMax) return value
  throw refuse(
    `metrics.${name.slice(0, 40)} must be a number, a boolean, or a text of at most ` +
      `${limits.tsdbTextBytesMax} bytes`,
  )
}
