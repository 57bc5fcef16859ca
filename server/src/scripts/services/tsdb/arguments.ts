import { Fault, type Static } from '../../../foundation/kernel/index.ts'
import { tsdbLimits } from './limits.ts'
import type { tsdbOperations } from './operations.ts'
import type { Point, PointValue, Query } from './point.ts'
import { asRelative, asSpan, asStamp, asTime } from './times.ts'

const refuse = (sentence: string) => new Fault('invalid_argument', sentence)

type Schemas = typeof tsdbOperations.schemas
type PointArguments = Static<Schemas['write']['args']>
type QueryArguments = Static<Schemas['query']['args']>

/** @throws Fault invalid_argument */
export function asPoints(
  solutionId: string,
  { metrics, tags, ts }: PointArguments,
  nowUs: number,
): Point[] {
  const named = Object.entries(metrics)
  if (named.length === 0) {
    throw refuse(`metrics must be a table of 1 to ${tsdbLimits.tsdbMetricsMax} values by name`)
  }
  const time = ts === undefined ? nowUs : asStamp(ts, 'ts')
  const sorted = asTags(tags)
  return named.map(([name, value]) => ({
    solutionId,
    metric: asName(name, 'a metric'),
    tags: sorted,
    ts: time,
    value: asValue(value, name),
  }))
}

/** @throws Fault invalid_argument */
export function asDatapoints(
  solutionId: string,
  { datapoints }: Static<Schemas['multiWrite']['args']>,
  nowUs: number,
): Point[] {
  const points = datapoints.flatMap((one) => asPoints(solutionId, one, nowUs))
  if (points.length > tsdbLimits.tsdbPointsPerCallMax) {
    throw refuse(`one call may write ${tsdbLimits.tsdbPointsPerCallMax} values`)
  }
  return points
}

const epochs = { u: 1, ms: 1_000, s: 1_000_000 } as const

/** @throws Fault invalid_argument */
export function asQuery(given: QueryArguments, nowUs: number): Query {
  const { metrics, sampling_size, aggregate, mode, order_by, limit, epoch } = given
  if (sampling_size !== undefined && aggregate.length === 0) {
    throw refuse('sampling_size needs an aggregate')
  }
  return {
    metrics: metrics.map((name) => asName(name, 'a metric')),
    tags: asTags(given.tags),
    ...parseRange(given, nowUs),
    order: order_by,
    mode,
    epochUs: epochs[epoch],
    aggregates: [...new Set(aggregate)],
    limit,
    samplingUs: sampling_size === undefined ? undefined : asSpan(sampling_size, 'sampling_size'),
  }
}

function parseRange(given: QueryArguments, nowUs: number): { from: number; to: number } {
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
  // A point that was written just now belongs to it.
  const to =
    end_time === undefined
      ? asRelative(relative_end, nowUs, nowUs + 1, 'relative_end')
      : asTime(end_time, 'end_time')
  if (from < to) return { from, to }
  throw refuse('the start must be before the end')
}

/** Sorted, so that one set of tags is one text. */
function asTags(given: QueryArguments['tags']): string {
  const tags = Object.entries(given)
  const texts = tags.map(([name, tag]) => [
    asName(name, 'a tag'),
    asName(String(tag), `tags.${name}`),
  ])
  return JSON.stringify(Object.fromEntries(texts.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))))
}

function asName(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= tsdbLimits.tsdbNameCharsMax) {
    if (!value.includes('\0') && value.isWellFormed()) return value
  }
  throw refuse(
    `${what.slice(0, 40)} must be a text of 1 to ${tsdbLimits.tsdbNameCharsMax} characters`,
  )
}

function asValue(value: PointValue, name: string): PointValue {
  if (typeof value !== 'string' || Buffer.byteLength(value) <= tsdbLimits.tsdbTextBytesMax)
    return value
  throw refuse(
    `metrics.${name.slice(0, 40)} must be a number, a boolean, or a text of at most ` +
      `${tsdbLimits.tsdbTextBytesMax} bytes`,
  )
}
