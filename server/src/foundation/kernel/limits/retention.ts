import { type LimitDefinition, settable } from './kinds.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The time for which data are kept. */
export const retentionLimits = {
  /** Retention of entries that every consumer has passed. */
  logRetentionHours: settable(7 * 24, 1, 10 * 366 * 24),
  /** The interval of retention. */
  retentionEveryMs: settable(10 * minuteMs, 1_000, 24 * hourMs),
  /**
   * The lead of the clock over the last removal of old data past which removal waits until the
   * clock is confirmed.
   */
  upkeepGapHoursMax: settable(3 * 24, 0, 366 * 24),
  /** The time for which such a clock must be stable until removal goes on. */
  upkeepSettleHours: settable(24, 1, 366 * 24),
  /** Retention of the lines of connectors' and solutions' logs; entries have their own. */
  lineRetentionHours: settable(7 * 24, 1, 10 * 366 * 24),
  /**
   * The time for which the label of a removed connector or solution stays reserved for its
   * business. Until then the host has no answer, and the id is taken for all others.
   */
  hostLabelKeptMs: settable(30 * 24 * hourMs, 0, 3_650 * 24 * hourMs),
  /** Days for which the audit log is kept. */
  auditDays: settable(400, 1, 36_600),
  /** The time for which the content of a report can be read; it is removed as long after that. */
  reportHours: settable(168, 1, 8_760),
  /** Retention of the lines of assets' logs. */
  assetLineHours: settable(30 * 24, 1, 10 * 366 * 24),
  /** Retention of conditions, from when they were cleared. */
  conditionHours: settable(366 * 24, 1, 100 * 366 * 24),
  /** Retention of the events of statuses. */
  statusEventHours: settable(366 * 24, 1, 100 * 366 * 24),
  /**
   * Failed calls of functions of one business. Past it the oldest are removed; the ledger still
   * counts them as failed.
   */
  failedCallsMax: settable(10_000, 0, 1_000_000),
  /** Retention of a failed call of a function. */
  failedCallHours: settable(30 * 24, 1, 10 * 366 * 24),
  /**
   * Deliveries of one solution that failed for good. Past it the oldest are removed; the ledger
   * still counts them as failed.
   */
  deadDeliveriesMax: settable(10_000, 0, 1_000_000),
  /** Retention of a delivery that failed for good. */
  deadDeliveryHours: settable(30 * 24, 1, 10 * 366 * 24),
  /** Retention of values over time. */
  tsdbDaysMax: settable(400, 1, 36_600),
  /** Retention of notifications and their jobs. */
  notificationHours: settable(30 * 24, 28 * 24 + 1, 10 * 366 * 24),
} as const satisfies Readonly<Record<string, LimitDefinition>>
