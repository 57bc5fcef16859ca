import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { databaseProxy } from '../../../../test/fixtures/database-proxy.ts'
import { createLogger } from '../../kernel/index.ts'
import { JoinedTransactions } from '../joined-transactions.ts'
import { CancelScopes } from './cancel.ts'
import { Connections } from './connections.ts'
import { openPool } from './pool.ts'

it('the end of a pool waits until its connections are closed', async (t) => {
  const proxy = await databaseProxy(t)
  const other = await testDatabase(t)
  const connections = new Connections({ connectionString: proxy.config.databaseUrl })
  const { connection, newClient } = connections
  const scopes = new CancelScopes({ newClient, logger: createLogger('silent') })
  const joins = new JoinedTransactions()
  const parts = { connection, scopes, joins, onConnect: () => {}, onError: () => {} }
  const pool = openPool(parts)
  await Promise.all([1, 2, 3].map((n) => pool.one('select $1::int as n', [n])))
  proxy.silence()
  let hasEnded = false
  const ending = pool.end().then(() => {
    hasEnded = true
  })
  // Time enough for what does not wait for the server.
  for (let trip = 0; trip < 5; trip += 1) await other.one('select 1 as n')
  assert.equal(hasEnded, false)
  proxy.up()
  await ending
  connections.close()
})
