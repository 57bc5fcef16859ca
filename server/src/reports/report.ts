import type { DataRange } from '../assets/index.ts'
import type { View } from '../groups/index.ts'
import {
  component,
  Microseconds,
  Nullable,
  type PageRange,
  type StaticResult,
  Type,
} from '../kernel/index.ts'

export const reportFormats = ['csv', 'json', 'xlsx'] as const
export type ReportFormat = (typeof reportFormats)[number]

export const reportAggregates = [
  'avg',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
] as const satisfies readonly DataRange['aggregate'][]

/** A report that is to be made: all values of signals in a period. */
export type NewReport = {
  /** Seconds since 1970; `start` is part of the period, `end` is not. */
  readonly start: number
  readonly end: number
  readonly signals: readonly ReportSignal[]
  /** `csv` when it is left out. */
  readonly format?: ReportFormat | null | undefined
  /** What the report is about, for its file's name. */
  readonly assetNames?: readonly string[] | null | undefined
  readonly timezone?: ReportTimezone | null | undefined
}

/** A signal of a report; `every`, `aggregate` and `unit` as where a signal's values are read. */
export type ReportSignal = Pick<DataRange, 'every' | 'aggregate' | 'unit'> & {
  readonly id: string
  /** Its name in the report; the signal's own when it is left out. */
  readonly name?: string | null | undefined
}

/**
 * How times are written: by a pattern of strftime, at so many whole hours from UTC or in a time
 * zone, such as `Asia/Kolkata` or `+05:30`.
 */
export type ReportTimezone = {
  readonly format?: string | null | undefined
  readonly offset?: number | null | undefined
  readonly timeZone?: string | null | undefined
}

/**
 * `waiting`: its job was not run yet, or will be again. `completed`: its content can be read until
 * `expiresAt`; then it is `expired`. `failed`: `reason` says why.
 */
export const reportSchema = component('Report', {
  id: Type.String(),
  state: Type.Enum(['waiting', 'completed', 'failed', 'expired']),
  reason: Nullable(Type.String(), { description: 'Why it failed.' }),
  format: Type.Enum([...reportFormats], { description: 'The kind of file.' }),
  filename: Type.String(),
  rows: Type.Integer({ description: 'The values in it; 0 until it is completed.' }),
  bytes: Type.Integer({ description: 'Its size; 0 until it is completed.' }),
  madeBy: Type.String({ description: '`user:<id>` or `token:<id>`.' }),
  createdAt: Microseconds(undefined, { wire: 'created' }),
  expiresAt: Microseconds('Until when its content can be read, in microseconds since 1970.', {
    wire: 'expires',
  }),
})
export type Report = StaticResult<typeof reportSchema> & {
  readonly businessId: string
  readonly query: NewReport
  readonly updatedAt: number
}

/** The file of a report. */
export type ReportContent = {
  readonly filename: string
  readonly type: string
  readonly data: Buffer
}

/** A report belongs to who asked for it; those who see the whole business see all of it. */
export type Reports = {
  /**
   * Stores a report with the job that makes it.
   * @param by the principal's subject
   * @throws Fault `invalid_argument`, also past the limits; `not_found` for a signal
   */
  create(view: View, by: string, report: NewReport): Promise<Report>
  /** @throws Fault `not_found` */
  get(view: View, by: string, id: string): Promise<Report>
  /** Newest first. */
  list(view: View, by: string, page?: PageRange): Promise<Report[]>
  /** @throws Fault `not_found`, also if it is not completed */
  content(view: View, by: string, id: string): Promise<ReportContent>
  /**
   * A URL of the content that needs no credential and ends after so many seconds.
   * @throws Fault `not_found`, also if it is not completed; `invalid_argument`
   */
  url(view: View, by: string, id: string, seconds?: number | null): Promise<string>
  /** What a URL reads. @throws Fault `not_found`; `forbidden` after its end */
  open(token: string): Promise<ReportContent>
  /** @throws Fault `not_found` */
  remove(view: View, by: string, id: string): Promise<Report>
  /** Removes reports whose time is over. */
  sweep(): Promise<void>
}
