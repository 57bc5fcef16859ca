import pg from 'pg'
import { Fault, limits } from '../../kernel/index.ts'
import type { JoinedTransactions } from '../joined-transactions.ts'
import {
  type Queryable,
  type Statement,
  statementName,
  type Transaction,
  typeParsers,
} from '../statement.ts'
import { BoundedClient } from './bounded-client.ts'
import type { CancelScope, CancelScopes } from './cancel.ts'

/** The address of a server: a URL, or the parts of a unix socket's address. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly database: string; readonly user: string }

/** The connections of a pool now. */
export type PoolUse = {
  readonly inUse: number
  readonly idle: number
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number
  /** The most connections that it opens. */
  readonly limit: number
}

export type Pool = Queryable & {
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  joined<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>
  use(): PoolUse
  end(): Promise<void>
}

const serializationFailure = '40001'
const deadlockDetected = '40P01'
const uniqueViolation = '23505'
const lockNotAvailable = '55P03'
const nulInText = '22021'
const nulInJson = '22P05'

export type PoolOptions = {
  readonly connection: Connection
  readonly scopes: CancelScopes
  readonly joins: JoinedTransactions
  /** Called with each new connection. */
  readonly onConnect: (client: BoundedClient) => void
  /** Called when a connection is lost that nobody uses. */
  readonly onError: (error: Error) => void
}

export function openPool(options: PoolOptions): Pool {
  const { connection, scopes, joins, onConnect, onError } = options
  const config: pg.PoolConfig & { readonly pipeline: boolean } = {
    ...connection,
    Client: BoundedClient as unknown as new () => pg.Client,
    // A statement is sent without waiting for the answers to earlier ones.
    pipeline: true,
    max: limits.databaseConnectionsMax,
    // Each client bounds its connecting; this bounds waiting for one of them too.
    connectionTimeoutMillis: limits.databaseWaitMsMax,
    types: typeParsers as pg.CustomTypesConfig,
  }
  const pool = new pg.Pool(config)
  pool.on('error', onError)
  const open = new Map<pg.PoolClient, Promise<void>>()
  pool.on('connect', (client) => {
    open.set(
      client,
      ended(client).finally(() => open.delete(client)),
    )
    onConnect(client as unknown as BoundedClient)
  })
  const free = queryable(pool)
  const alone = <Result>(ask: (on: Queryable) => Promise<Result>) => {
    const joined = joins.alone(ask)
    if (joined !== undefined) return translated(joined)
    const scope = scopes.current
    return translated(scope === undefined ? ask(free) : runAlone(pool, scope, ask))
  }
  const once = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    joins.transaction(work) ?? runOnce(pool, scopes.current, work)
  return {
    rows: (text, values) => alone((on) => on.rows(text, values)),
    one: (text, values) => alone((on) => on.one(text, values)),
    run: (text, values) => alone((on) => on.run(text, values)),
    transaction: (work) => translated(tried(() => once(work))),
    joined: (work) => translated(runJoined(pool, options, work)),
    use: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      limit: limits.databaseConnectionsMax,
    }),
    async end() {
      const closed = Promise.all(open.values())
      await pool.end()
      // The pool does not wait for its connections, which the server counts until they are closed.
      await closed
    },
  }
}

function ended(client: pg.PoolClient): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', resolve)
  })
}

/**
 * The one translation of the server's errors. After a lost connection the caller may retry.
 * No text that is stored holds a NUL, so nothing has an id with one.
 */
async function translated<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Fault) throw error
    const code = (error as { code?: unknown } | null)?.code
    if (code === nulInText) throw new Fault('not_found', undefined, { cause: error })
    if (code === nulInJson) {
      throw new Fault('invalid_argument', 'A text holds a NUL.', { cause: error })
    }
    if (!connectionLost(error)) throw error
    const options = { cause: error, retryAfterS: limits.retryAfterS }
    throw new Fault('database_unavailable', undefined, options)
  }
}

function queryable(client: pg.Pool | pg.PoolClient): Queryable {
  const query = (statement: Statement) => asked(client, statement)
  return {
    rows: async (text, values = []) => (await query({ text, values })).rows,
    one: async (text, values = []) => (await query({ text, values })).rows[0],
    run: async (text, values = []) => (await query({ text, values })).rowCount ?? 0,
  }
}

function asked(client: pg.Pool | pg.PoolClient, { text, values }: Statement) {
  const name = statementName(text)
  const query = { text, values: [...values] }
  return client.query(name === undefined ? query : { ...query, name })
}

/** Runs a statement that its scope may cancel. */
async function runAlone<Result>(
  pool: pg.Pool,
  scope: CancelScope,
  ask: (on: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  const bounded = asBounded(client)
  try {
    return await scope.run(bounded, () => ask(queryable(client)))
  } finally {
    client.release(scope.spoils(bounded))
  }
}

/** The pool makes its clients of this class. */
const asBounded = (client: pg.PoolClient) => client as unknown as BoundedClient

/** Runs a transaction again if it lost a race. */
async function tried<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction()
    } catch (error) {
      if (!lostRace(error) || tries >= limits.transactionTriesMax) throw error
    }
  }
}

async function runJoined<Result>(
  pool: pg.Pool,
  { scopes, joins }: Pick<PoolOptions, 'scopes' | 'joins'>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const outer = joins.transaction(work)
  if (outer !== undefined) return outer
  const run = (transaction: Transaction) => joins.run(transaction, work)
  const { result, after } = await runOnce(pool, scopes.current, run)
  for (const follow of after) await follow()
  return result
}

/** A COMMIT that was sent is not cancelled: its outcome would be unknown. */
async function runOnce<Result>(
  pool: pg.Pool,
  scope: CancelScope | undefined,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let result: Result
  let after: readonly (() => unknown)[]
  try {
    scope?.check()
    const begun = begin(client, scope)
    result = await work(begun.transaction)
    scope?.check()
    if (!begun.isEnded()) await client.query('commit')
    after = begun.after
  } catch (error) {
    const rolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    )
    client.release(!rolledBack || scope?.spoils(asBounded(client)) === true)
    throw error
  }
  client.release()
  // Whatever these throw, nothing is rolled back: the connection may be another transaction's.
  for (const follow of after) follow()
  return result
}

/** Begins a transaction; BEGIN goes out with the first statement. */
function begin(client: pg.PoolClient, scope: CancelScope | undefined) {
  const stream = streamFor(client)
  stream.cork()
  // If it fails, the statements behind it fail, too.
  client.query('begin').catch(() => {})
  process.nextTick(() => stream.uncork())
  let ended = false
  const bounded = asBounded(client)
  async function ask<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    if (ended) throw new Error('the transaction has ended')
    return scope === undefined ? send() : scope.run(bounded, send)
  }
  const on = queryable(client)
  const all = (statements: readonly Statement[], more: readonly string[]) =>
    inOneWrite(stream, async () => {
      const sent = statements.map((statement) => asked(client, statement))
      const answers = await Promise.all([...sent, ...more.map((text) => client.query(text))])
      return answers.slice(0, statements.length).map((answer) => ({
        rows: answer.rows as Record<string, unknown>[],
        count: answer.rowCount ?? 0,
      }))
    })
  const after: (() => unknown)[] = []
  const transaction: Transaction = {
    afterCommit: (follow) => void after.push(follow),
    rows: (text, values) => ask(() => on.rows(text, values)),
    one: (text, values) => ask(() => on.one(text, values)),
    run: (text, values) => ask(() => on.run(text, values)),
    together: (statements) => ask(() => all(statements, [])),
    async finish(statements) {
      if (scope !== undefined) return void (await transaction.together(statements))
      await ask(() => {
        ended = true
        return all(statements, ['commit'])
      })
    },
  }
  return { transaction, isEnded: () => ended, after }
}

type Corkable = { cork(): void; uncork(): void }

/** Sends what `send` sends before it first waits in one write. */
function inOneWrite<Answer>(stream: Corkable, send: () => Promise<Answer>): Promise<Answer> {
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

function streamFor(client: pg.PoolClient): Corkable {
  return (client as unknown as { readonly connection: { readonly stream: Corkable } }).connection
    .stream
}

/**
 * Returns whether a transaction failed only because another one was faster, so that it may run
 * again.
 */
export function lostRace(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === serializationFailure || code === deadlockDetected
}

/** Returns whether a row would have had the key of another one. */
export function isDuplicate(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === uniqueViolation
}

/** Returns whether another transaction held a lock for longer than this one waits. */
export function waitedTooLong(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === lockNotAvailable
}

/** Returns whether the server was unreachable or went away: then the statement is not at fault. */
export function connectionLost(error: unknown): boolean {
  if (error instanceof Fault) return error.code === 'database_unavailable'
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && lostCodes.test(code)) return true
  return typeof message === 'string' && lostMessages.test(message)
}

// SQLSTATE classes 08 (connection), 53 (resources), 57P (shutdown), and the errors of sockets.
const lostCodes = /^(08...|53...|57P..|ECONN[A-Z]+|EPIPE|ENOENT|ETIMEDOUT)$/
const lostMessages =
  /Connection terminated|Client was closed|not queryable|timeout e(xpired|xceeded when trying)/i
