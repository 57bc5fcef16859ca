import { type LimitDefinition, settable } from './kinds.ts'

const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000

/** The event log: what waits, and what shares a transaction. */
export const logLimits = {
  /** Entries that a stage may have pending before `/readyz` says that the process is behind. */
  readyPendingMax: settable(1_000_000, 1, 1_000_000_000),
  /** Messages that wait for their commit in one shard. Past it devices receive 503. */
  pendingMessagesMax: settable(8_000, 100, 1_000_000),
  /** Bytes that wait for their commit in one shard. */
  pendingBytesMax: settable(32 * mib, mib, 1024 * mib),
  /** Messages in one transaction of the event log. */
  flushMessagesMax: settable(1_000, 1, 10_000),
  /** Bytes in one transaction of the event log. One message may be larger; then it goes alone. */
  flushBytesMax: settable(512 * kib, 16 * kib, 64 * mib),
  /**
   * Partitions of the log, and so the processes among which its consumers are divided. It is read
   * when the tables are made, and recorded; a database that has entries keeps its number.
   */
  logPartitions: settable(16, 4, 1_024),
  /** Entries in one batch of a consumer. */
  consumerBatchMax: settable(500, 1, 10_000),
  /** Batches of several partitions that a consumer runs at once; what comes meanwhile waits. */
  consumerBatchesMax: settable(3, 1, 100),
  /** The time for which a consumer without a backlog lets entries gather before it reads again. */
  consumerGatherMs: settable(25, 1, 10_000),
  /** The interval at which the devices that were seen are written. */
  presenceFlushMs: settable(1_000, 10, minuteMs),
} as const satisfies Readonly<Record<string, LimitDefinition>>
