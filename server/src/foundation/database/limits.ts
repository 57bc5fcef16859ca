/** Limits of `database` that no operator sets. */
export const databaseLimits = {
  /** The pause between two notifications that a process sends to the others. */
  hintPauseMs: 100,
  /** The pause after a notification could not be sent or its connection was lost again. */
  hintRetryMs: 5_000,
  /** Keys that a notification names; past it the notification means any key. */
  hintKeysMax: 100,
  /** Rows of a table, as COPY writes them, that a backup compresses at once. */
  backupPartBytes: 8 * 1024 * 1024,
  /**
   * The interval at which connections are checked that await an answer of the database. If nothing
   * has come since the last check, a new connection verifies that the server answers and runs the
   * statement; if not, the connection is cut, and callers that wait for it are answered 503. A
   * statement itself may take as long as it needs.
   */
  databaseCheckMs: 5_000,
  /** The time for the embedded engine's answer to a command that looks for it. */
  engineConnectMsMax: 5_000,
}
