import type { BoundedClient } from './connection/bounded-client.ts'
import type { PoolUse } from './connection/pool.ts'
import { type PreparedStatements, RoundTrip } from './connection/round-trip.ts'
import type { Statement, Writer } from './statement.ts'

/** A connection with what is prepared on it. */
type Line = { readonly client: BoundedClient; readonly prepared: PreparedStatements }

/** The writers of a database. */
export class Writers {
  readonly #newClient: () => BoundedClient
  readonly #onError: (error: Error) => void
  readonly #open = new Set<OpenWriter>()

  /** @param newClient a client that is not connected yet. */
  constructor(newClient: () => BoundedClient, onError: (error: Error) => void) {
    this.#newClient = newClient
    this.#onError = onError
  }

  open(): Writer {
    const writer = openWriter(this.#newClient, this.#onError)
    this.#open.add(writer)
    const { commit } = writer
    return { commit, close: () => writer.close().finally(() => this.#open.delete(writer)) }
  }

  /** Each has a connection of its own, and commits one transaction after the other. */
  use(): PoolUse {
    const all = [...this.#open]
    const inUse = all.filter((one) => one.commits() > 0).length
    const connected = all.filter((one) => one.isConnected()).length
    const waiting = all.reduce((sum, one) => sum + Math.max(0, one.commits() - 1), 0)
    return { inUse, idle: Math.max(0, connected - inUse), waiting, limit: all.length }
  }
}

type OpenWriter = Writer & { commits(): number; isConnected(): boolean }

/** Opens a writer. It connects with its first transaction, and anew after one was lost. */
function openWriter(newClient: () => BoundedClient, onError: (error: Error) => void): OpenWriter {
  let line: Line | undefined
  let commits = 0

  async function connected(): Promise<Line> {
    if (line !== undefined) return line
    const client = newClient()
    const fresh = { client, prepared: { surely: new Map(), perhaps: new Set<string>() } }
    client.on('error', (error) => {
      if (line === fresh) line = undefined
      onError(error)
    })
    client.on('end', () => {
      if (line === fresh) line = undefined
    })
    await client.connect()
    line = fresh
    return fresh
  }

  return {
    commits: () => commits,
    isConnected: () => line !== undefined,
    async commit(statements) {
      commits += 1
      try {
        return await commitOn(await connected(), statements)
      } finally {
        commits -= 1
      }
    },
    async close() {
      const open = line
      line = undefined
      await open?.client.end()
    },
  }
}

async function commitOn({ client, prepared }: Line, statements: readonly Statement[]) {
  try {
    return await client.query(new RoundTrip(statements, prepared)).rows
  } catch (error) {
    // If the connection is gone, so is the transaction.
    await client.query('rollback').catch(() => {})
    throw error
  }
}
