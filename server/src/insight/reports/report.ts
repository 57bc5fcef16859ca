import {
  component,
  Microseconds,
  Nullable,
  type PageRange,
  type StaticInput,
  type StaticResult,
  StrictObject,
  Type,
} from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'

export const reportFormats = ['csv', 'json', 'xlsx'] as const
export type ReportFormat = (typeof reportFormats)[number]

const formatSchema = Type.Enum([...reportFormats], { description: 'The kind of file.' })

/** `every`, `aggregate` and `unit` are as where the values of a signal are read. */
const signalSchema = StrictObject({
  id: Type.String(),
  name: Type.Optional(Type.String({ description: 'Its name in the report.' })),
  every: Type.Optional(
    Type.String({
      description: 'One value for each interval of this length, such as `15m`, `1h`, `1d` or `1w`.',
    }),
  ),
  aggregate: Type.Optional(
    Type.Enum(['avg', 'min', 'max', 'sum', 'count', 'first', 'last'], {
      description: "What an interval's value is; `avg` if it is left out.",
    }),
  ),
  unit: Type.Optional(Type.String({ description: "A unit of the signal's data type." })),
})
export type ReportSignal = StaticInput<typeof signalSchema>

/** The form of times. */
const timezoneSchema = StrictObject({
  format: Type.Optional(Type.String({ description: 'A pattern of strftime.' })),
  offset: Type.Optional(
    Type.Integer({
      description: 'Whole hours from UTC.',
      rule: 'must be whole hours; timeZone takes other zones, such as +05:30',
    }),
  ),
  timeZone: Type.Optional(
    Type.String({
      description: 'In its place: a time zone such as `Asia/Kolkata`, or `+05:30`.',
      wire: 'timeZone',
    }),
  ),
})
export type ReportTimezone = StaticInput<typeof timezoneSchema>

/** A report that is to be made: all values of signals in a period. */
export const newReportSchema = StrictObject({
  start: Type.Integer({ description: 'The first moment, in seconds since 1970.', minimum: 0 }),
  end: Type.Integer({ description: 'The end, no part of it, in seconds.', minimum: 0 }),
  signals: Type.Array(signalSchema),
  // `csv` if it is left out.
  format: Type.Optional(formatSchema),
  assetNames: Type.Optional(
    Type.Array(Type.String(), { description: 'The first is in the name of the file.' }),
  ),
  timezone: Type.Optional(timezoneSchema),
})
export type NewReport = StaticInput<typeof newReportSchema>

/**
 * `waiting`: its job was not run yet, or will be again. `completed`: its content can be read until
 * `expiresAt`; then it is `expired`. `failed`: `reason` says why.
 */
export const reportSchema = component('Report', {
  id: Type.String(),
  state: Type.Enum(['waiting', 'completed', 'failed', 'expired']),
  reason: Nullable(Type.String(), { description: 'Why it failed.' }),
  format: formatSchema,
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
  /**
   * Opens the report of a URL.
   * @throws Fault `not_found`; `forbidden` after its end
   */
  open(token: string): Promise<ReportContent>
  /** @throws Fault `not_found` */
  remove(view: View, by: string, id: string): Promise<Report>
  /** Removes reports whose time is over. */
  sweep(): Promise<void>
}
