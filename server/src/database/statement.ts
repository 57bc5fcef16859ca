/** SQL text with its values. Texts are constants, and prepared once a connection. */
export type Statement = {
  readonly text: string
  readonly values: readonly unknown[]
}

/** What can run a statement: the database itself, or a transaction of it. */
export type Queryable = {
  /** All rows. */
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first row, if there is one. */
  one<Row>(text: string, values?: readonly unknown[]): Promise<Row | undefined>
  /** How many rows were written. */
  run(text: string, values?: readonly unknown[]): Promise<number>
}

/** Statements that are committed together, or not at all. */
export type Transaction = Queryable

/** A connection of its own for one writer: it sends a whole transaction without waiting between. */
export type Writer = {
  /**
   * Runs the statements in one transaction; resolves after COMMIT with the rows of each.
   * @throws what the server said of the first statement that failed; nothing was stored then,
   *   except that a connection lost during COMMIT leaves the outcome unknown.
   */
  commit(statements: readonly Statement[]): Promise<Record<string, unknown>[][]>
  close(): Promise<void>
}
