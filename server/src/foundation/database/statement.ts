import { createHash } from 'node:crypto'
import { types } from 'pg'
import { Fault } from '../kernel/index.ts'

/** Statements that a connection to the database keeps prepared. */
const preparedTextsMax = 2_000
/** Characters of a text to search for: the names of assets, devices, groups and others. */
const searchTextMax = 200

/** SQL text with its values. Texts are constants, and prepared once a connection. */
export type Statement = {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Runs statements: the database itself, or a transaction of it. */
export type Queryable = {
  /** All rows. */
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first row, if there is one. */
  one<Row>(text: string, values?: readonly unknown[]): Promise<Row | undefined>
  /** Returns the number of rows that were written. */
  run(text: string, values?: readonly unknown[]): Promise<number>
}

/** The answer to a statement; `count`: the number of rows that were written, or read. */
export type Answer = { readonly rows: readonly Record<string, unknown>[]; readonly count: number }

/** Statements that are committed together, or not at all. */
export type Transaction = Queryable & {
  /**
   * Runs statements of which none needs the answer of another: they are sent in one write, and each
   * begins when the one before it has ended. @throws the error of the first that failed.
   */
  together(statements: readonly Statement[]): Promise<readonly Answer[]>
  /**
   * The same as the last of the transaction, with the COMMIT behind them. Nothing may follow.
   */
  finish(statements: readonly Statement[]): Promise<void>
  /** Calls `follow` once it is committed; a lost race runs it again, and begins without any. */
  afterCommit(follow: () => unknown): void
}

/** A connection of its own for one writer: it sends a whole transaction without waiting between. */
export type Writer = {
  /**
   * Runs the statements in one transaction; resolves after COMMIT with the rows of each.
   * @throws the error of the first statement that failed; nothing was stored then,
   *   except that a connection lost during COMMIT leaves the outcome unknown.
   */
  commit(statements: readonly Statement[]): Promise<Record<string, unknown>[][]>
  close(): Promise<void>
}

const names = new Map<string, string>()

/**
 * The name under which a text is prepared on a connection; undefined (not prepared) past a number
 * of texts that constants never reach.
 */
export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= preparedTextsMax) return undefined
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

const int8 = 20
const int8Array: number = 1016

/**
 * Reads bigint as a number: the platform's bigints are microseconds and counts, all below 2^53,
 * and a value above is an error, not a rounded number.
 */
function readInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is above 2^53`)
  return value
}

type Int8Texts = (text: string) => (string | null)[]

/** The parsers of values from the server. */
export const typeParsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === int8) return readInt8
    if (format !== 'binary' && oid === int8Array) {
      const parse = types.getTypeParser(int8Array, 'text') as Int8Texts
      return (text: string) => parse(text).map((one) => (one === null ? null : readInt8(one)))
    }
    return types.getTypeParser(oid, format as 'text')
  },
}

/**
 * The database's clock in microseconds, for statements: those of processes may differ by more than
 * a lease lasts, and then two of them would own the same thing.
 */
export const databaseClock = '(extract(epoch from statement_timestamp()) * 1000000)::bigint'

/**
 * Returns the pattern of `like` and `ilike` that finds a text anywhere in another.
 * @throws Fault `invalid_argument` above `searchTextMax`: PostgreSQL's work grows with the square
 *   of the length of a pattern
 */
export function searchPattern(text: string): string {
  if (text.length > searchTextMax) {
    const rule = `text has at most ${searchTextMax} characters`
    throw new Fault('invalid_argument', rule)
  }
  return `%${text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`)}%`
}
