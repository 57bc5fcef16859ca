import type { BoundedClient } from './connection/bounded-client.ts'
import { type PreparedStatements, RoundTrip } from './connection/round-trip.ts'
import type { Writer } from './statement.ts'

/** A connection with what is prepared on it. */
type Line = { readonly client: BoundedClient; readonly prepared: PreparedStatements }

/**
 * Opens a writer. It connects with its first transaction, and anew after a connection was lost.
 * @param newClient a client that is not connected yet.
 */
export function openWriter(
  newClient: () => BoundedClient,
  onError: (error: Error) => void,
): Writer {
  let line: Line | undefined

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
    async commit(statements) {
      const { client, prepared } = await connected()
      try {
        return await client.query(new RoundTrip(statements, prepared)).rows
      } catch (error) {
        // Where the connection is gone, so is the transaction.
        await client.query('rollback').catch(() => {})
        throw error
      }
    },
    async close() {
      const open = line
      line = undefined
      await open?.client.end()
    },
  }
}
