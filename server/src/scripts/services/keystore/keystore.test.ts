import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../test/fixtures/database.ts'
import { handClock } from '../../../../test/fixtures/provisioning.ts'
import { limits } from '../../../foundation/kernel/index.ts'
import type { ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { createKeystore } from './index.ts'

const call = (solutionId: string): ServiceCall => ({
  businessId: 'b1',
  solutionId,
  alias: 'keystore',
  configuration: undefined,
  trackingId: 't1',
  depth: 0,
  remainingMs: 1_000,
  signal: new AbortController().signal,
})

async function open(t: Parameters<typeof testDatabase>[0], solutionId = 's1') {
  const database = await testDatabase(t)
  const clock = handClock()
  const keystore = createKeystore({ database, clock })
  const of = (solution: string, from = keystore) => ({
    ask: async (operation: string, args: ScriptValue) => {
      const run = from.service.operation(operation)
      assert.ok(run !== undefined)
      return run(call(solution), args)
    },
    command: async (key: string, command: string, ...args: ScriptValue[]) => {
      const run = from.service.operation('command')
      assert.ok(run !== undefined)
      const answer = await run(call(solution), { key, command, args })
      return (answer as { value?: ScriptValue }).value
    },
  })
  const another = () => of(solutionId, createKeystore({ database, clock }))
  return { database, clock, keystore, of, another, ...of(solutionId) }
}

test('bytes that are not UTF-8 and a NUL within a value come back as they were', async (t) => {
  const { ask } = await open(t)
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  await ask('set', { key: 'b', value: bytes })
  const { value } = (await ask('get', { key: 'b' })) as { value: Uint8Array }
  assert.deepEqual([...value], [...bytes])
  await ask('set', { key: 'n', value: 'a\0b' })
  assert.deepEqual(await ask('get', { key: 'n' }), { value: 'a\0b' })
  await assert.rejects(async () => ask('set', { key: 'n', value: { a: bytes } }), {
    code: 'invalid_argument',
  })
})

test('a solution reads nothing of another, and list and mdelete are its own', async (t) => {
  const { ask, of } = await open(t)
  const other = of('s2')
  for (const key of ['a:1', 'a:2', 'b_1', 'b%1']) await ask('set', { key, value: 1 })
  await other.ask('set', { key: 'a:1', value: 2 })
  assert.deepEqual(await ask('list', {}), { keys: ['a:1', 'a:2', 'b%1', 'b_1'], cursor: '0' })
  assert.deepEqual(await ask('list', { match: 'b_?' }), { keys: ['b_1'], cursor: '0' })
  assert.deepEqual(await ask('list', { limit: 3 }), {
    keys: ['a:1', 'a:2', 'b%1'],
    cursor: '>b%1',
  })
  assert.deepEqual(await ask('list', { limit: 3, cursor: '>b%1' }), { keys: ['b_1'], cursor: '0' })
  assert.deepEqual(await ask('mdelete', { keys: ['a:1', 'b_1', 'never'] }), { removed: 2 })
  assert.deepEqual(await ask('list', {}), { keys: ['a:2', 'b%1'], cursor: '0' })
  assert.deepEqual(await other.ask('get', { key: 'a:1' }), { value: 2 })
})

test('a key expires at its microsecond: one before it is there, at it it is gone', async (t) => {
  const { ask, command, clock, keystore, database } = await open(t)
  assert.equal(await command('k', 'set', 'v', 'EX', 10), 'OK')
  assert.equal(await command('k', 'ttl'), 10)
  clock.us += 10_000_000 - 1
  assert.deepEqual(await ask('get', { key: 'k' }), { value: 'v' })
  clock.us += 1
  assert.deepEqual(await ask('get', { key: 'k' }), {})
  assert.equal(await command('k', 'ttl'), -2)
  assert.equal(await command('k', 'setnx', 'anew'), '1')
  assert.equal(await command('k', 'ttl'), -1)
  assert.equal(await command('k', 'expire', 5), 1)
  assert.equal(await command('k', 'persist'), 1)
  assert.equal(await command('k', 'expire', 5), 1)
  clock.us += 5_000_000
  assert.deepEqual(await ask('list', {}), { keys: [], cursor: '0' })
  const stored = () => database.rows('select key from keystore_entry')
  assert.equal((await stored()).length, 1)
  await keystore.sweep()
  assert.deepEqual(await stored(), [])
})

test('counters add exactly under concurrency, in two processes on one database', async (t) => {
  const { ask, command, another } = await open(t)
  const there = another()
  await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      index % 2 === 0 ? command('n', 'incr') : there.command('n', 'incrby', 3),
    ),
  )
  assert.deepEqual(await ask('get', { key: 'n' }), { value: 400 })
  assert.equal(await command('n', 'decr'), 399)
  const won = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      (index % 2 ? there : { command }).command('l', 'setnx', 1),
    ),
  )
  assert.equal(won.filter((value) => value === '1').length, 1)
})

const rows: readonly [string, readonly [string, ...ScriptValue[]], ScriptValue][] = [
  ['set NX of a key that is there changes nothing', ['set', 'x', 'NX'], undefined],
  ['append gives the new length in bytes', ['append', 'é'], 4],
  ['strlen', ['strlen'], 4],
  ['exists', ['exists'], 1],
  ['type', ['type'], 'string'],
  ['getset gives what was', ['getset', '7'], '12é'],
  ['incrby takes a number that was written as text', ['incrby', '5'], 12],
]

test('commands of strings, in any letter case', async (t) => {
  const { command } = await open(t)
  await command('s', 'SET', '12')
  for (const [what, [name, ...args], value] of rows) {
    assert.deepEqual(await command('s', name, ...args), value, what)
  }
  await assert.rejects(command('s', 'hget', 'f'), /holds a string, not a hash/)
  assert.equal(await command('s', 'del'), 1)
  assert.equal(await command('s', 'del'), 0)
})

test('commands of hashes', async (t) => {
  const { command } = await open(t)
  assert.equal(await command('h', 'hset', 'a', 1, 'b', { deep: true }), 2)
  assert.equal(await command('h', 'hset', 'a', 2), 0)
  assert.equal(await command('h', 'hsetnx', 'a', 9), 0)
  assert.equal(await command('h', 'hget', 'a'), 2)
  assert.deepEqual(await command('h', 'hmget', 'a', 'none'), [2, undefined])
  assert.deepEqual(await command('h', 'hgetall'), { a: 2, b: { deep: true } })
  assert.equal(await command('h', 'hincrby', 'a', -5), -3)
  assert.deepEqual(await command('h', 'hkeys'), ['a', 'b'])
  assert.equal(await command('h', 'hlen'), 2)
  assert.equal(await command('h', 'hset', '__proto__', 'plain'), 1)
  assert.equal(await command('h', 'hget', '__proto__'), 'plain')
  assert.equal(await command('h', 'hdel', 'a', 'b', '__proto__', 'none'), 3)
  assert.equal(await command('h', 'exists'), 0)
})

test('commands of lists and sets', async (t) => {
  const { command } = await open(t)
  assert.equal(await command('l', 'rpush', 1, 2, 3), 3)
  assert.equal(await command('l', 'lpush', 0, -1), 5)
  assert.deepEqual(await command('l', 'lrange', 0, -1), [-1, 0, 1, 2, 3])
  assert.deepEqual(await command('l', 'lrange', -2, 9), [2, 3])
  assert.equal(await command('l', 'lindex', -1), 3)
  assert.equal(await command('l', 'lset', 1, 3), 'OK')
  assert.equal(await command('l', 'lrem', -1, 3), 1)
  assert.deepEqual(await command('l', 'lrange', 0, -1), [-1, 3, 1, 2])
  assert.equal(await command('l', 'ltrim', 1, 2), 'OK')
  assert.equal(await command('l', 'lpop'), 3)
  assert.equal(await command('l', 'rpop'), 1)
  assert.equal(await command('l', 'exists'), 0)
  assert.equal(await command('m', 'sadd', 'a', 'b', 'a'), 2)
  assert.equal(await command('m', 'sismember', 'b'), 1)
  assert.equal(await command('m', 'srem', 'b'), 1)
  assert.deepEqual(await command('m', 'smembers'), ['a'])
  assert.equal(await command('m', 'scard'), 1)
  assert.equal(await command('m', 'spop'), 'a')
})

const bad: readonly [string, string, ScriptValue, string][] = [
  ['no key', 'get', {}, 'invalid_argument'],
  ['an empty key', 'get', { key: '' }, 'invalid_argument'],
  ['a key with NUL', 'get', { key: 'a\0' }, 'invalid_argument'],
  ['a key that is too long', 'get', { key: 'k'.repeat(1_025) }, 'invalid_argument'],
  ['no value', 'set', { key: 'a' }, 'invalid_argument'],
  ['a value that is too large', 'set', { key: 'a', value: 'x'.repeat(1_048_577) }, 'too_large'],
  ['an unknown argument', 'get', { key: 'a', kye: 1 }, 'invalid_argument'],
  ['an argument that is no table', 'get', 'a', 'invalid_argument'],
  ['an unknown command', 'command', { key: 'a', command: 'eval' }, 'invalid_argument'],
  ['a command of a prototype', 'command', { key: 'a', command: 'constructor' }, 'invalid_argument'],
  ['too few', 'command', { key: 'a', command: 'hset', args: ['f'] }, 'invalid_argument'],
  ['too many', 'command', { key: 'a', command: 'incr', args: [1] }, 'invalid_argument'],
  ['EX of 0', 'command', { key: 'a', command: 'set', args: ['v', 'EX', 0] }, 'invalid_argument'],
  ['keys that are no list', 'mdelete', { keys: 'a' }, 'invalid_argument'],
  ['a limit above the largest', 'list', { limit: 1_001 }, 'invalid_argument'],
]

test('bad arguments are refused by name, and change nothing', async (t) => {
  const { ask } = await open(t)
  await ask('set', { key: 'a', value: 'kept' })
  for (const [what, operation, args, code] of bad) {
    await assert.rejects(async () => ask(operation, args), { code }, what)
  }
  assert.deepEqual(await ask('get', { key: 'a' }), { value: 'kept' })
})

test('one bad change does not fail those that share its transaction', async (t) => {
  const { command } = await open(t)
  await command('a', 'set', 'text')
  const [bad, good] = await Promise.allSettled([command('a', 'incr'), command('b', 'incr')])
  assert.equal(bad.status, 'rejected')
  assert.deepEqual(good, { status: 'fulfilled', value: 1 })
})

test('past the most keys a new one is refused, and a replaced one is not new', async (t) => {
  const { ask, command, database, clock } = await open(t)
  await command('here', 'set', 'v', 'EX', 1)
  await database.run('update keystore_solution set keys = $1', [limits.keystoreKeysMax])
  await assert.rejects(async () => ask('set', { key: 'new', value: 1 }), { code: 'too_large' })
  await ask('set', { key: 'here', value: 2 })
  await ask('delete', { key: 'here' })
  await ask('set', { key: 'new', value: 1 })
  clock.us += 1
  assert.deepEqual(await ask('list', {}), { keys: ['new'], cursor: '0' })
})
