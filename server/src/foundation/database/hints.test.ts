import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { testAddress } from '../../../test/fixtures/database.ts'
import { atEnd } from '../../../test/fixtures/ends.ts'
import { sharedByProcess } from '../../../test/fixtures/suite.ts'
import { createLogger } from '../kernel/index.ts'
import { databaseLimits } from './limits.ts'
import { openDatabase } from './open.ts'

const logger = createLogger('silent')

const sharedAddress = sharedByProcess((process) => testAddress(process))

async function openTwo(t: TestContext) {
  const address = await sharedAddress()
  const open = async () => {
    const database = await openDatabase({ ...address, owner: false, logger })
    atEnd(t, () => database.close())
    return database
  }
  return [await open(), await open()] as const
}

/** The arguments of a listener's calls, in their order. */
function collector() {
  const waiting: PromiseWithResolvers<ReadonlySet<string> | undefined>[] = []
  let [put, got] = [0, 0]
  const at = (place: number) => (waiting[place] ??= Promise.withResolvers())
  return {
    listener: (keys: ReadonlySet<string> | undefined) => at(put++).resolve(keys),
    next: () => at(got++).promise,
  }
}

it('hints reach other processes, by topic, those of one moment together', async (t) => {
  const [here, there] = await openTwo(t)
  const { listener, next } = collector()
  here.hints.listen('sets', listener)
  assert.equal(await next(), undefined, 'connected: anything may be new')
  there.hints.notify('lines', 'of another topic')
  there.hints.notify('sets', '1')
  there.hints.notify('sets', '2')
  there.hints.notify('sets', '1')
  assert.deepEqual(await next(), new Set(['1', '2']))
  here.hints.notify('sets', 'own')
  for (let key = 0; key <= databaseLimits.hintKeysMax; key += 1)
    there.hints.notify('sets', `${key}`)
  assert.equal(await next(), undefined, 'more than a message holds')
})

it('hints of a joined transaction go out once it is committed, and not if it fails', async (t) => {
  const [here, there] = await openTwo(t)
  await here.run('create table mark (id bigint primary key)')
  const { listener, next } = collector()
  here.hints.listen('sets', listener)
  await next()
  const failing = there.joined(async () => {
    there.hints.notify('sets', 'undone')
    throw new Error('no')
  })
  await assert.rejects(failing)
  await there.joined(async () => {
    await there.run('insert into mark (id) values (1)')
    there.hints.notify('sets', 'kept')
    await there.hints.reached('sets')
  })
  assert.deepEqual(await next(), new Set(['kept']))
  assert.equal((await here.rows('select id from mark')).length, 1)
})

it('hints that wait are sent before the database closes', async (t) => {
  const [here, there] = await openTwo(t)
  const { listener, next } = collector()
  here.hints.listen('sets', listener)
  await next()
  there.hints.notify('sets', '1')
  there.hints.notify('sets', '2')
  await there.hints.close()
  const received = new Set<string>()
  while (received.size < 2) for (const key of (await next()) ?? []) received.add(key)
})

it('a lost connection for hints is made again, and then anything may be new', async (t) => {
  const [here, there] = await openTwo(t)
  const { listener, next } = collector()
  here.hints.listen('sets', listener)
  await next()
  await there.run(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query ilike 'listen%'`,
  )
  assert.equal(await next(), undefined)
  there.hints.notify('sets', '1')
  assert.deepEqual(await next(), new Set(['1']))
})

it('waiting for hints resolves when every other process has received them', async (t) => {
  const [here, there] = await openTwo(t)
  const { listener, next } = collector()
  const calls: unknown[] = []
  here.hints.listen('solutions', (keys) => {
    calls.push(keys)
    listener(keys)
  })
  await next()
  for (const key of ['1', '2', '3']) {
    calls.length = 0
    there.hints.notify('solutions', key)
    await there.hints.reached('solutions')
    assert.deepEqual(calls, [new Set([key])])
  }
})

it('callers at the same time each wait until their hints have reached the others', async (t) => {
  const [here, there] = await openTwo(t)
  const { listener, next } = collector()
  const received = new Set<string>()
  here.hints.listen('solutions', (keys) => {
    for (const key of keys ?? []) received.add(key)
    listener(keys)
  })
  await next()
  await Promise.all(
    ['1', '2', '3'].map(async (key) => {
      there.hints.notify('solutions', key)
      await there.hints.reached('solutions')
      assert.ok(received.has(key), key)
    }),
  )
  there.hints.notify('solutions', '4')
  await Promise.all([1, 2].map(() => there.hints.reached('solutions')))
  assert.ok(received.has('4'))
})

it('a process that never answers, or is gone, is not waited for without end', async (t) => {
  const [here, there] = await openTwo(t)
  await here.rows(`select set_config('application_name', 'millrace silent', false)`)
  there.hints.notify('solutions', '1')
  await there.hints.reached('solutions')
  here.hints.listen('solutions', () => {})
  await here.hints.close()
  there.hints.notify('solutions', '2')
  await there.hints.reached('solutions')
})
