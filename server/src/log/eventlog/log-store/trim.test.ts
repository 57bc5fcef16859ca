import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLabel } from '../../../../test/fixtures/entries.ts'
import {
  append,
  logStores,
  makeEntry,
  type OpenedStore,
  parts,
} from '../../../../test/fixtures/eventlog/stores.ts'
import type { LogStore, PartitionState } from './log-store.ts'

function readPartitions({ database }: OpenedStore, store: LogStore): Promise<PartitionState[]> {
  return database.transaction((transaction) => store.partitions(transaction))
}

for (const [name, open] of Object.entries(logStores)) {
  describe(`the ${name} store of the log and the database of the state`, () => {
    it('appends with a transaction of the caller, or not at all', async (t) => {
      const opened = await open(t)
      const { database, store } = opened
      const { part } = makeEntry('d', '')
      await append(store, [makeEntry('d', '1')])
      await database.transaction((transaction) =>
        store.appendIn(transaction, [makeEntry('d', '2'), makeEntry('d', '3')]),
      )
      const undone = database.transaction(async (transaction) => {
        await store.appendIn(transaction, [makeEntry('d', 'undone')])
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      await append(store, [makeEntry('d', '4')])
      const entries = await store.read(part, 0, 10)
      assert.deepEqual(entries.map(readLabel), ['1', '2', '3', '4'])
      assert.deepEqual(
        entries.map(({ seq }) => seq),
        [1, 2, 3, 4],
      )
    })

    it('trims what is old, up to a number, and says what is left', async (t) => {
      const opened = await open(t)
      const { store } = opened
      const stamps = [9_000, 10, 20, 9_000, 500, 30, 600]
      await append(
        store,
        stamps.map((at) => makeEntry('d', `${at}`, at)),
      )
      const { part } = makeEntry('d', '')
      const trim = (upTo: number, count = 100) =>
        store.trim(part, { upTo, beforeUs: 400, presentUntilUs: 1_000, count })
      const state = async () => (await readPartitions(opened, store))[part]
      assert.equal(await trim(0), 0)
      assert.deepEqual(await state(), { part, head: 7, rows: 7, lowest: 1, expired: 0 })
      assert.equal(await trim(2), 2, 'the one that was ahead goes with the next old one')
      assert.deepEqual(await state(), { part, head: 7, rows: 5, lowest: 3, expired: 2 })
      assert.equal(await trim(7, 1), 1)
      assert.equal(await trim(7), 0, 'what is behind a young one stays')
      assert.deepEqual(await state(), { part, head: 7, rows: 4, lowest: 4, expired: 3 })
      assert.deepEqual((await store.read(part, 0, 10)).map(readLabel), ['9000', '500', '30', '600'])
      const numbers = (await readPartitions(opened, store)).map((one) => one.part)
      assert.deepEqual(numbers, parts)
    })

    it('goes on with its numbers where everything was trimmed', async (t) => {
      const opened = await open(t)
      const { store, reopen } = opened
      const { part } = makeEntry('d', '')
      await append(store, [makeEntry('d', '1'), makeEntry('d', '2')])
      const range = { beforeUs: 400, presentUntilUs: 1_000, count: 100 }
      assert.equal(await store.trim(part, { ...range, upTo: 2 }), 2)
      const empty = { part, head: 2, rows: 0, lowest: null, expired: 2 }
      assert.deepEqual((await readPartitions(opened, store))[part], empty)
      await store.close()
      const again = await reopen()
      assert.deepEqual((await readPartitions(opened, again))[part], empty)
      const [position] = await append(again, [makeEntry('d', '3')])
      assert.deepEqual(position, { part, seq: 3 })
    })
  })
}
