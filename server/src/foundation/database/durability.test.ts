import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { comes } from '../../../test/fixtures/demo.ts'
import { watchWrites } from './durability.ts'
import type { Transaction } from './statement.ts'

/** A store that has room or not, in place of a disk that a test cannot fill. */
function smallStore() {
  const store = { full: false, tries: 0 }
  const run = async () => {
    store.tries += 1
    if (store.full) throw Object.assign(new Error('could not extend file'), { code: '53100' })
    return 1
  }
  const transaction = { run } as unknown as Transaction
  const writes = watchWrites((work) => work(transaction), [])
  return { store, writes, write: () => writes.noted(run()) }
}

describe('whether the database takes writes', () => {
  it('is checked in the store only after a failed write, and until one succeeds', async () => {
    const { store, writes, write } = smallStore()
    await write()
    assert.equal(await writes.why(), undefined)
    assert.equal(store.tries, 1)
    store.full = true
    await assert.rejects(write(), /could not extend file/)
    const why = await comes(() => writes.why())
    assert.equal(why, 'The database stores nothing: could not extend file.')
    store.full = false
    await comes(async () => ((await writes.why()) === undefined ? true : undefined))
    const { tries } = store
    await writes.why()
    assert.equal(store.tries, tries)
  })

  it('is not judged by what is wrong with a statement', async () => {
    const { writes } = smallStore()
    const wrong = Object.assign(new Error('duplicate key'), { code: '23505' })
    await assert.rejects(writes.noted(Promise.reject(wrong)), wrong)
    assert.equal(await writes.why(), undefined)
  })
})
