import type { Database, Statement, Writer } from '../../foundation/database/index.ts'
import { type Batcher, createBatcher } from '../../foundation/kernel/index.ts'

/** Jobs that are added at the same time and share a transaction. */
const jobAddBatchMax = 1_000
/** Jobs that wait to be added. Past it who adds one gets `overloaded`, 503. */
const jobAddWaitingMax = 20_000

/** Jobs that are being stored, and the callbacks that follow. */
export type Addition = {
  readonly statements: readonly Statement[]
  committed(): void
  /** If the connection was lost during the COMMIT, the jobs may be stored or not. */
  failed(): void
}

/**
 * Stores jobs that are added at the same time in one transaction, which is sent without waiting for
 * each statement: every addition holds the row of the ledger that counts it until its commit, so
 * additions in transactions of their own would wait for each other.
 */
export class Additions<NewJob> {
  readonly #database: Pick<Database, 'writer'>
  readonly #prepare: (jobs: readonly NewJob[]) => Promise<Addition>
  readonly #batcher: Batcher<readonly NewJob[], undefined>
  #writer: Writer | undefined

  constructor(
    database: Pick<Database, 'writer'>,
    prepare: (jobs: readonly NewJob[]) => Promise<Addition>,
  ) {
    this.#database = database
    this.#prepare = prepare
    this.#batcher = createBatcher({
      batchMax: jobAddBatchMax,
      waitingMax: jobAddWaitingMax,
      sizes: {
        of: (jobs) => jobs.length,
        batchMax: jobAddBatchMax,
        waitingMax: jobAddWaitingMax,
      },
      run: async (batch) => {
        await this.#write(batch.flat())
        return batch.map(() => ({ value: undefined }))
      },
    })
  }

  /** Resolves once the jobs are stored. @throws Fault overloaded if too many wait for that. */
  async add(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length > 0) await this.#batcher.add(jobs)
  }

  async close(): Promise<void> {
    await this.#batcher.idle()
    await this.#writer?.close()
    this.#writer = undefined
  }

  async #write(jobs: readonly NewJob[]): Promise<void> {
    const { statements, committed, failed } = await this.#prepare(jobs)
    this.#writer ??= this.#database.writer()
    try {
      await this.#writer.commit(statements)
    } catch (error) {
      failed()
      throw error
    }
    committed()
  }
}
