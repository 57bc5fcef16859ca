import { type LimitDefinition, settable } from './kinds.ts'

const kib = 1024
const mib = 1024 * kib
const minuteMs = 60_000

/** Assets, signals and insight modules. */
export const insightLimits = {
  /** Values that one history query returns. */
  historyValuesMax: settable(10_000, 1_000, 1_000_000),
  /**
   * Signals that devices feed, with these devices, that are cached; the least recently used are
   * removed first, and read again.
   */
  feedsRememberedMax: settable(250_000, 100, 10_000_000),
  /** Signals of one asset. */
  signalsPerAssetMax: settable(1_000, 1, 10_000),
  /** One call of an insight module, from first byte out to last byte in. */
  moduleCallMsMax: settable(10_000, 3_100, 10 * minuteMs),
  /** An insight module's answer. */
  moduleAnswerBytesMax: settable(4 * mib, 64 * kib, 64 * mib),
  /** Calls of insight modules in flight at once. */
  moduleCallsMax: settable(256, 1, 1_000),
  /** Runs of linked functions that a process works on at once, of one business. */
  functionRunsMax: settable(128, 65, 1_000),
  /**
   * Runs of one business that wait: one for each entry and asset with functions of modules. Further
   * ones are kept among the failed calls. The count is read once a batch, so a batch may pass it.
   */
  functionRunsWaitingMax: settable(50_000, 100, 10_000_000),
  /** Insight modules of one business. */
  modulesMax: settable(100, 1, 10_000),
} as const satisfies Readonly<Record<string, LimitDefinition>>
