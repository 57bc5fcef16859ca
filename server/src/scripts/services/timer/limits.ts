/** Limits of `services/timer` that no operator sets. */
export const timerLimits = {
  /** Timers of one solution; past it a new one is refused with 413 `too_large`. */
  timersMax: 1_000,
  /** Characters of a timer's id, of a schedule, of a time zone's name. */
  timerIdCharsMax: 100,
  /** The message of a timer, in JSON; past it the timer is refused with 413 `too_large`. */
  timerMessageBytesMax: 64 * 1024,
  /** The longest time until a timer is due, and the longest interval. */
  timerMsMax: 366 * 24 * 3_600_000,
  /**
   * The shortest interval of a timer; a schedule cannot name more than one time a second. The
   * schema of an operation has it.
   */
  timerEveryMsMin: 1_000,
  /**
   * The interval at which a process polls for due timers that another process has set; its own are
   * due without a poll.
   */
  timerPollMs: 1_000,
}
