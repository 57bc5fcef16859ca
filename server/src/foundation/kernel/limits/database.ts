import { type LimitDefinition, settable } from './kinds.ts'

const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The database, the start and the stop. */
export const databaseLimits = {
  /**
   * Connections to the database that a process shares among its statements; some further ones have
   * a purpose of their own.
   */
  databaseConnectionsMax: settable(10, 8, 200),
  /**
   * The time for a connection to the database to open or to close. Past it a start ends with a
   * sentence, and requests are answered 503.
   */
  databaseConnectMsMax: settable(10_000, 100, 2 * minuteMs),
  /** The time for which a statement waits for a free connection; then 503. */
  databaseWaitMsMax: settable(20_000, 1_000, 5 * minuteMs),
  /**
   * The time for which a migration that runs beside other processes waits for a table. Their
   * statements wait behind it.
   */
  besideLockMsMax: settable(3_000, 100, minuteMs),
  /** The time for which a start waits for another process that changes the tables. */
  migrationMsMax: settable(hourMs, 1_000, 7 * 24 * hourMs),
  /** The time for a start of the embedded engine; it repeats its log after a power cut. */
  engineStartMsMax: settable(10 * minuteMs, 1_000, 7 * 24 * hourMs),
  /** Free space on the disk of the embedded engine's data below which it counts as full. */
  diskFreeBytesMin: settable(32 * mib, 16 * mib, 1024 * 1024 * mib),
  /** The time for which a stop waits for work in flight before it cuts. */
  shutdownMsMax: settable(10_000, 6_000, 10 * minuteMs),
} as const satisfies Readonly<Record<string, LimitDefinition>>
