import pg from 'pg'
import { statementName } from './names.ts'
import type { Connection } from './pool.ts'
import type { Statement, Writer } from './statement.ts'
import { typeParsers } from './types.ts'

/** Opens a writer. It connects with its first transaction, and anew after a connection was lost. */
export function openWriter(connection: Connection, onError: (error: Error) => void): Writer {
  let client: pg.Client | undefined

  async function connected(): Promise<pg.Client> {
    if (client !== undefined) return client
    const fresh = new pg.Client({
      ...connection,
      pipeline: true,
      types: typeParsers as pg.CustomTypesConfig,
    } as pg.ClientConfig)
    fresh.on('error', (error) => {
      if (client === fresh) client = undefined
      onError(error)
    })
    fresh.on('end', () => {
      if (client === fresh) client = undefined
    })
    await fresh.connect()
    client = fresh
    return fresh
  }

  return {
    async commit(statements) {
      return send(await connected(), statements)
    },
    async close() {
      const open = client
      client = undefined
      await open?.end()
    },
  }
}

async function send(client: pg.Client, statements: readonly Statement[]) {
  const begin = client.query('begin')
  const results = statements.map((statement) => client.query(prepared(statement)))
  const commit = client.query('commit')
  const [begun, committed, ...settled] = await Promise.allSettled([begin, commit, ...results])
  for (const one of [begun, ...settled, committed]) {
    if (one.status === 'rejected') throw one.reason
  }
  // A COMMIT of a transaction that failed before it "succeeds", with the tag ROLLBACK.
  if (committed.status !== 'fulfilled' || committed.value.command !== 'COMMIT') {
    throw new Error('the transaction was rolled back')
  }
  return settled.map((one) => (one.status === 'fulfilled' ? one.value.rows : []))
}

function prepared(statement: Statement): pg.QueryConfig {
  const name = statementName(statement.text)
  const query = { text: statement.text, values: [...statement.values] }
  return name === undefined ? query : { ...query, name }
}
