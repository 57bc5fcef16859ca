import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { labelledBody } from '../../../../test/fixtures/entries.ts'
import { append, encoded, logStores, makeEntry } from '../../../../test/fixtures/eventlog/stores.ts'

import type { Entry } from '../entry.ts'
import type { ConnectorEntriesQuery } from './log-store.ts'

for (const [name, open] of Object.entries(logStores)) {
  describe(`a connector's entries in the ${name} store`, () => {
    const key = (at: number, part = 0, seq = 0) => ({ at, part, seq })
    const all: ConnectorEntriesQuery = {
      businessId: 'b',
      connectorId: 'c',
      newerThan: key(0),
      olderThan: key(2 ** 50),
      kinds: ['write'],
      identity: undefined,
      text: undefined,
      bodyBytesMax: 1_000,
      limit: 50,
    }

    it('come newest first, between two of them', async (t) => {
      const { store } = await open(t)
      const stamps = [30, 10, 20, 20, 20, 40]
      const batch = stamps.map((at, place) => makeEntry(`d${place}`, `${place}`, at))
      const positions = await append(store, batch)
      const keys = stamps.map((at, place) => ({ at, ...(positions[place] ?? assert.fail()) }))
      keys.sort((a, b) => b.at - a.at || b.part - a.part || b.seq - a.seq)
      const read = async (query: Partial<ConnectorEntriesQuery>) =>
        (await store.connectorEntries.read({ ...all, ...query })).map(({ at, part, seq }) => {
          return { at, part, seq }
        })
      assert.deepEqual(await read({}), keys.map(toKey))
      assert.deepEqual(await read({ limit: 2 }), keys.slice(0, 2).map(toKey))
      const [, newest, , , oldest] = keys
      const between = { olderThan: newest ?? assert.fail(), newerThan: oldest ?? assert.fail() }
      assert.deepEqual(await read(between), keys.slice(2, 4).map(toKey))
    })

    it('are those of a kind, a device, a text', async (t) => {
      const { store } = await open(t)
      const body = (label: string) => ({ ...labelledBody(label), ip: '::1' })
      const device = { businessId: 'b', connectorId: 'c', identity: 'd' }
      const entries: Entry[] = [
        { ...device, kind: 'write', at: 1, body: body('Sa"ID') },
        { ...device, kind: 'set', at: 2, body: body('set') },
        { ...device, identity: 'e', kind: 'write', at: 3, body: body('x'.repeat(2_000)) },
        { ...device, connectorId: 'other', kind: 'write', at: 4, body: body('other') },
        { ...device, businessId: 'other', kind: 'write', at: 5, body: body('other') },
      ]
      await append(store, entries.map(encoded))
      const stamps = async (query: Partial<ConnectorEntriesQuery>) =>
        (await store.connectorEntries.read({ ...all, ...query })).map(({ at }) => at)
      assert.deepEqual(await stamps({}), [3, 1])
      assert.deepEqual(await stamps({ kinds: ['set', 'write'] }), [3, 2, 1])
      assert.deepEqual(await stamps({ identity: 'd' }), [1])
      assert.deepEqual(await stamps({ text: 'a"id' }), [1])
      const [long, short] = await store.connectorEntries.read(all)
      const text = JSON.stringify(body('Sa"ID'))
      const of = (bytes: number) => ({ kind: 'write', bytes })
      assert.partialDeepStrictEqual(short, { ...of(text.length), body: text, ip: null })
      const bytes = JSON.stringify(body('x'.repeat(2_000))).length
      const head = { body: null, ip: '::1', protocol: 'test' }
      assert.partialDeepStrictEqual(long, { ...of(bytes), ...head })
    })

    it('have a horizon', async (t) => {
      const { store } = await open(t)
      await append(
        store,
        [10, 20, 30].map((at) => makeEntry(`d${at}`, '', at)),
      )
      const { horizon, hasAfter } = store.connectorEntries
      assert.equal(await horizon('c', 100, 2), 20)
      assert.equal(await horizon('c', 29, 2), 10)
      assert.equal(await horizon('c', 29, 3), 0)
      assert.equal(await horizon('other', 100, 1), 0)
      assert.equal(await hasAfter('c', 30), true)
      assert.equal(await hasAfter('c', 31), false)
      assert.equal(await hasAfter('other', 0), false)
    })
  })
}

function toKey({ at, part, seq }: { at: number; part: number; seq: number }) {
  return { at, part, seq }
}
