import { AsyncLocalStorage } from 'node:async_hooks'
import type { Queryable, Transaction } from './statement.ts'

/**
 * A part of a joined transaction: the work itself, or a transaction inside it, a savepoint. Its
 * statements go over one connection, one after the other, so that a savepoint holds what was asked
 * within it and nothing else. An error undoes its own savepoint alone.
 */
class Part {
  readonly #on: Transaction
  readonly #savepoint: string
  #turn: Promise<unknown> = Promise.resolve()
  isOpen = true
  /** The actions that follow once all is committed. */
  readonly after: (() => unknown)[]

  constructor(on: Transaction, depth: number, after: (() => unknown)[]) {
    this.#on = on
    this.#savepoint = `joined_${depth}`
    this.after = after
  }

  /** The same for work that has this part's transaction. */
  get transaction(): Transaction {
    const together: Transaction['together'] = (statements) =>
      this.#next(() => this.#on.together(statements))
    return {
      rows: (text, values) => this.#next(() => this.#on.rows(text, values)),
      one: (text, values) => this.#next(() => this.#on.one(text, values)),
      run: (text, values) => this.#next(() => this.#on.run(text, values)),
      together,
      // It is committed with what it is a part of.
      finish: async (statements) => void (await together(statements)),
      afterCommit: (follow) => void this.after.push(follow),
    }
  }

  /** Runs what is undone by itself if it fails. */
  apart<Result>(ask: (on: Transaction) => Promise<Result>): Promise<Result> {
    return this.#next(async () => {
      await this.#on.run(`savepoint ${this.#savepoint}`)
      try {
        const result = await ask(this.#on)
        await this.#on.run(`release savepoint ${this.#savepoint}`)
        return result
      } catch (error) {
        await this.#on.run(`rollback to savepoint ${this.#savepoint}`)
        throw error
      }
    })
  }

  #next<Result>(work: () => Promise<Result>): Promise<Result> {
    const ran = this.#turn.then(work)
    this.#turn = ran.catch(() => {})
    return ran
  }
}

/** The joined transaction that the running code belongs to. */
export class JoinedTransactions {
  readonly #current = new AsyncLocalStorage<{ readonly part: Part; readonly depth: number }>()

  /** True if a transaction would be a part of another one. */
  get isJoined(): boolean {
    return this.#part !== undefined
  }

  get #part(): Part | undefined {
    const part = this.#current.getStore()?.part
    return part?.isOpen === true ? part : undefined
  }

  /** Runs work, all that it asks being a part of this transaction. @returns what follows, too. */
  async run<Result>(
    transaction: Transaction,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly after: readonly (() => unknown)[] }> {
    const after: (() => unknown)[] = []
    return { result: await this.#within(new Part(transaction, 0, after), 0, work), after }
  }

  /** Runs a statement; undefined outside of a joined transaction. */
  alone<Result>(ask: (on: Queryable) => Promise<Result>): Promise<Result> | undefined {
    return this.#part?.apart(ask)
  }

  /** A transaction; undefined outside of a joined one. */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> | undefined {
    const part = this.#part
    const depth = (this.#current.getStore()?.depth ?? 0) + 1
    return part?.apart((on) => this.#within(new Part(on, depth, part.after), depth, work))
  }

  /** Does something once the joined transaction is committed; outside of one at once. */
  afterCommit(follow: () => unknown): void {
    const part = this.#part
    if (part === undefined) follow()
    else part.after.push(follow)
  }

  async #within<Result>(
    part: Part,
    depth: number,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#current.run({ part, depth }, () => work(part.transaction))
    } finally {
      part.isOpen = false
    }
  }
}
