/** Limits of `activity` that no operator sets. */
export const activityLimits = {
  /** The time within which repetitions of a device become one line of the connector's log. */
  lineRepeatMs: 30_000,
  /** Recent lines that a process stores to fold repetitions. */
  linesRememberedMax: 10_000,
  /**
   * Lines that a log takes in a minute: of a connector's refusals, of the rest of its lines, of
   * each kind of a solution's lines. Entries do not count. Those past it are counted in one line.
   */
  linesPerMinuteMax: 600,
  /** The interval at which lines are written to the activity logs. */
  lineFlushMs: 500,
  /** The message of one line of a connector's log, which a client may have chosen. */
  connectorLineCharsMax: 500,
  /**
   * The largest write whose values its line of the log shows; of a longer one the line has only the
   * size.
   */
  lineBodyBytesMax: 4 * 1024,
  /** The longest delay with which a line may become visible and still be shown live. */
  tailOverlapMs: 5_000,
  /** Lines that a live view shows at once; past it some are skipped, and a line counts them. */
  tailPageMax: 500,
}
