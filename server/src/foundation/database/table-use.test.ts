import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { databaseProxy } from '../../../test/fixtures/database-proxy.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { createLogger } from '../kernel/index.ts'
import { BoundedClient } from './connection/bounded-client.ts'
import { keepTableUse } from './table-use.ts'

/** Keeps the tables of a database in use; `check` plays the comparison with its version. */
async function keep(t: TestContext, check: (client: BoundedClient, time: number) => Promise<void>) {
  const { config } = await databaseProxy(t)
  const outdated: string[] = []
  const checked: Promise<void>[] = []
  const second = Promise.withResolvers<void>()
  const use = keepTableUse({
    newClient: () => new BoundedClient({ connectionString: config.databaseUrl }),
    logger: createLogger('silent'),
    async check(client) {
      const one = check(client, checked.length + 1)
      checked.push(one)
      await one.finally(() => checked.length === 2 && second.resolve())
    },
    onOutdated: (error) => void outdated.push(error.message),
  })
  atEnd(t, () => use.close())
  use.start()
  return { use, outdated, second: second.promise }
}

describe('the use of the tables', () => {
  it('is checked again if the connection was lost while it was checked', async (t) => {
    const { outdated, second, use } = await keep(t, async (client, time) => {
      if (time === 1) client.cut('the server went away')
      await client.query('select 1')
    })
    await second
    await use.settled()
    assert.deepEqual(outdated, [])
  })

  it('ends for good where the tables are of another version', async (t) => {
    const { outdated, use } = await keep(t, async () => {
      throw new Error('the tables are of version 9')
    })
    await use.settled()
    assert.deepEqual(outdated, ['the tables are of version 9'])
  })
})
