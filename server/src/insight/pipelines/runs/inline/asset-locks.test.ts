import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssetLocks } from './asset-locks.ts'

test('an asset is taken by one at a time, and those who wait get it in their order', async () => {
  const locks = new AssetLocks()
  const began: string[] = []
  assert.ok(locks.tryTake('a'))
  assert.ok(!locks.tryTake('a'))
  assert.ok(locks.tryTake('b'))
  const gate = Promise.withResolvers<void>()
  const waiting = ['1', '2'].map((name) =>
    locks.run('a', async () => {
      began.push(name)
      await gate.promise
    }),
  )
  await new Promise(setImmediate)
  assert.deepEqual(began, [])
  locks.free('a')
  await new Promise(setImmediate)
  assert.deepEqual(began, ['1'])
  assert.ok(!locks.tryTake('a'))
  gate.resolve()
  await Promise.all(waiting)
  assert.deepEqual(began, ['1', '2'])
  assert.ok(locks.tryTake('a'))
})

test('work that fails leaves the asset to others', async () => {
  const locks = new AssetLocks()
  await assert.rejects(
    locks.run('a', () => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.ok(locks.tryTake('a'))
})
