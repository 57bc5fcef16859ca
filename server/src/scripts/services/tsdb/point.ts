/** A metric with its tags, of one solution. */
export type SeriesKey = {
  readonly solutionId: string
  readonly metric: string
  /** JSON text, its names sorted. */
  readonly tags: string
}

/** A value of a series. */
export type Point = SeriesKey & {
  /** Microseconds. */
  readonly ts: number
  readonly value: PointValue
}

export type PointValue = number | string | boolean

export const aggregates = ['avg', 'min', 'max', 'count', 'sum'] as const
export type Aggregate = (typeof aggregates)[number]

/** A query. `from` is inclusive, `to` is exclusive. */
export type Query = {
  readonly metrics: readonly string[]
  readonly tags: string
  readonly from: number
  readonly to: number
  readonly order: 'asc' | 'desc'
  readonly limit: number
  /** Buckets of so many microseconds, counted from 1970; undefined: the whole range is one. */
  readonly samplingUs: number | undefined
  /** None: the values themselves. */
  readonly aggregates: readonly Aggregate[]
  readonly mode: 'merge' | 'split'
  /** The unit of times in the answer, in microseconds. */
  readonly epochUs: number
}
