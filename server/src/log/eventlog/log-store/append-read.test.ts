import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { labelledBody, readLabel } from '../../../../test/fixtures/entries.ts'
import {
  append,
  encoded,
  logStores,
  makeEntry,
  parts,
  readAll,
} from '../../../../test/fixtures/eventlog/stores.ts'

import type { Entry, LoggedEntry, Position } from '../entry.ts'
import type { LogStore } from './log-store.ts'

/** A read entry with its body, and without the class that parses it. */
function plain({ part, seq, at, businessId, connectorId, identity, kind, body }: LoggedEntry) {
  return { part, seq, at, businessId, connectorId, identity, kind, body }
}

for (const [name, open] of Object.entries(logStores)) {
  describe(`the ${name} store of the log`, () => {
    it('reads entries by their positions, and leaves out those that are not there', async (t) => {
      const { store } = await open(t)
      const entries = ['a', 'b', 'c'].map((label) => makeEntry(`d-${label}`, label))
      const positions = await append(store, entries)
      const missing = { part: positions[0]?.part ?? 0, seq: 1_000 }
      const wanted = positions.filter((_, at) => at !== 1)
      const read = await store.readAt([...wanted, missing])
      const byPlace = new Map(read.map((one) => [`${one.part}/${one.seq}`, readLabel(one)]))
      const labels = wanted.map(({ part, seq }) => byPlace.get(`${part}/${seq}`))
      assert.deepEqual([read.length, labels], [2, ['a', 'c']])
    })

    it('numbers the entries of a partition from 1 on without gaps, in their order', async (t) => {
      const { store } = await open(t)
      const batches = Array.from({ length: 5 }, (_, batch) =>
        Array.from({ length: 40 }, (_, at) => makeEntry(`d${at % 10}`, `${batch * 40 + at}`)),
      )
      const positions: Position[] = []
      for (const batch of batches) positions.push(...(await append(store, batch)))
      const entries = batches.flat()
      const heads = await store.heads()
      for (const part of parts) {
        const expected = entries.filter((entry) => entry.part === part)
        const seqs = positions.filter((one) => one.part === part).map(({ seq }) => seq)
        assert.deepEqual(
          seqs,
          expected.map((_, at) => at + 1),
        )
        assert.equal(heads.get(part), seqs.length)
        const read = await store.read(part, 0, 1_000)
        assert.deepEqual(
          read.map(readLabel),
          expected.map(({ entry }) => readLabel(entry)),
        )
      }
    })

    it('gives numbers side by side that nobody sees before those below them', async (t) => {
      const { store, reopen } = await open(t)
      const others = store.writers.length > 1 ? [store, await reopen()] : [store]
      let over = false
      const reading = readOn(store, () => over)
      await Promise.all(
        others.map(async (one, which) => {
          for (let at = 0; at < 20; at += 1) {
            await append(
              one,
              parts.map((_, device) => makeEntry(`d${device}`, `${which}.${at}`)),
            )
          }
        }),
      )
      over = true
      const seen = await reading
      assert.equal(seen.length, others.length * 20 * parts.length)
      for (const part of parts) {
        const seqs = seen.filter((one) => one.part === part).map(({ seq }) => seq)
        assert.deepEqual(
          seqs,
          seqs.map((_, at) => at + 1),
        )
      }
    })

    it('returns entries as they were appended, whatever they hold', async (t) => {
      const { store, reopen } = await open(t)
      const device = { businessId: 'b ü', connectorId: 'c"\\', identity: '🙂\n' }
      const origin = { ip: '::1', protocol: 'mqtt' }
      const payload = [{ timestamp: 2 ** 52, values: { a: '', 'b\u2028': 'x'.repeat(100_000) } }]
      const entries: Entry[] = [
        { ...device, kind: 'write', at: 0, body: { ...origin, payload, unknown: ['é'] } },
        { ...device, kind: 'set', at: 2 ** 53 - 1, body: { ...origin, payload: [] } },
        { ...device, kind: 'provisioned', at: 3, body: { ...origin, anew: true } },
        { ...device, kind: 'deleted', at: 4, body: {} },
        { ...device, kind: 'expired', at: 5, body: {} },
        { ...device, kind: 'connected', at: 6, body: { ...origin, connection: '1' } },
        { ...device, kind: 'disconnected', at: 7, body: { ...origin, connection: '1' } },
      ]
      const positions = await append(store, entries.map(encoded))
      const expected = entries.map((entry, at) => ({ ...entry, ...positions[at] }))
      assert.deepEqual((await readAll(store)).map(plain), expected)
      await store.close()
      assert.deepEqual((await readAll(await reopen())).map(plain), expected)
    })

    it('reads at most as many as asked for, after a number', async (t) => {
      const { store } = await open(t)
      const entries = Array.from({ length: 9 }, (_, at) => makeEntry('d', `${at + 1}`))
      const { part } = entries[0] ?? assert.fail()
      await append(store, entries.slice(0, 4))
      await append(store, entries.slice(4))
      const labels = async (after: number, count: number) =>
        (await store.read(part, after, count)).map(readLabel)
      assert.deepEqual(await labels(0, 3), ['1', '2', '3'])
      assert.deepEqual(await labels(3, 3), ['4', '5', '6'])
      assert.deepEqual(await labels(7, 3), ['8', '9'])
      assert.deepEqual(await labels(9, 3), [])
      assert.deepEqual(await labels(100, 3), [])
    })
  })

  describe(`appends to the ${name} store of the log`, () => {
    it('keeps a batch or nothing of it', async (t) => {
      const { store } = await open(t)
      const bad = makeEntry('a\u0000b', 'bad')
      const good = { ...makeEntry('d', 'good'), part: bad.part }
      const kept = await append(store, [good, bad]).then(
        () => 2,
        () => 0,
      )
      assert.equal((await readAll(store)).length, kept)
      assert.equal((await store.heads()).get(bad.part), kept)
    })

    it('finds what was set after some numbers', async (t) => {
      const { store } = await open(t)
      const body = labelledBody('x')
      const entries = ['d', 'd', 'e', 'd', 'd'].map((identity, at) => {
        const kind = at === 1 ? ('write' as const) : ('set' as const)
        return encoded({ businessId: 'b', connectorId: 'c', identity, kind, at, body })
      })
      const positions = await append(store, entries)
      const found = (at: number) => {
        const { entry } = entries[at] ?? assert.fail()
        return { ...positions[at], connectorId: 'c', identity: entry.identity }
      }
      const inOrder = (...places: number[]) =>
        places.map(found).sort((a, b) => (a.part ?? 0) - (b.part ?? 0))
      const from = (d: number) => new Map(parts.map((p) => [p, p === positions[0]?.part ? d : 0]))
      assert.deepEqual(await store.findSets(from(0), 10), inOrder(0, 2, 3, 4))
      assert.deepEqual(await store.findSets(from(1), 10), inOrder(2, 3, 4))
      assert.deepEqual(await store.findSets(from(1), 1), inOrder(2, 3))
      assert.deepEqual(await store.findSets(await store.heads(), 10), [])
    })
  })
}

/** Reads on in all partitions, as consumers do, until it is over and nothing is left. */
async function readOn(store: LogStore, isOver: () => boolean): Promise<LoggedEntry[]> {
  const seen: LoggedEntry[] = []
  const after = new Map(parts.map((part) => [part, 0]))
  for (;;) {
    const over = isOver()
    const before = seen.length
    for (const part of parts) {
      const read = await store.read(part, after.get(part) ?? 0, 3)
      seen.push(...read)
      after.set(part, read.at(-1)?.seq ?? after.get(part) ?? 0)
    }
    if (over && seen.length === before) return seen
  }
}
