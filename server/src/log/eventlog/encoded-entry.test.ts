import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  assignPositions,
  byPart,
  type EncodedEntry,
  encodeEntry,
  partitionFor,
} from './encoded-entry.ts'

function encoded(identity: string): EncodedEntry {
  const body = { ip: '', protocol: 'test', payload: [] }
  const device = { businessId: 'b', connectorId: 'c1', identity }
  return encodeEntry({ ...device, kind: 'write', at: 1, body }, 4)
}

describe('the partition of a device', () => {
  it('is the one in which its entries lie since ever: FNV-1a over UTF-16 units', () => {
    const rows: [connectorId: string, identity: string, part: number][] = [
      ['c', 'd', 1],
      ['c', 'd0', 3],
      ['', 'x', 2],
      ['c1', 'AC-0001', 2],
      ['c1', 'AC-0002', 3],
      ['pumps', '🙂', 2],
      ['pumps', 'é', 0],
      ['a', 'b/c', 3],
      ['connector', '0'.repeat(512), 1],
    ]
    for (const [connectorId, identity, part] of rows) {
      assert.equal(partitionFor(connectorId, identity, 4), part, `${connectorId}/${identity}`)
    }
  })
})

describe('entries that are appended together', () => {
  const identities = ['AC-0002', 'AC-0001', 'AC-0002', 'AC-0001', 'AC-0002']
  const entries = identities.map(encoded)
  const of = (identity: string) => entries.filter((one) => one.entry.identity === identity)
  const parts = byPart(entries)

  it('stand in the order of partitions, and within one in their own', () => {
    assert.deepEqual(parts, [
      [2, of('AC-0001')],
      [3, of('AC-0002')],
    ])
    const places = parts.flatMap(([, those]) => those.map((one) => entries.indexOf(one)))
    assert.deepEqual(places, [1, 3, 0, 2, 4])
  })

  it('have numbers from the first one of their partition on', () => {
    assert.deepEqual(
      assignPositions(
        entries,
        new Map([
          [2, 41],
          [3, 7],
        ]),
      ),
      [
        { part: 3, seq: 7 },
        { part: 2, seq: 41 },
        { part: 3, seq: 8 },
        { part: 2, seq: 42 },
        { part: 3, seq: 9 },
      ],
    )
    assert.throws(
      () => assignPositions(entries, new Map([[2, 41]])),
      /nothing was appended to partition 3/,
    )
  })
})
