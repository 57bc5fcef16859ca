import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLabel } from '../../../test/fixtures/entries.ts'
import { makeEntry } from '../../../test/fixtures/eventlog/stores.ts'
import { RecentEntries, type RecentEntriesOptions } from './recent-entries.ts'

/** Recent entries, of which those with these numbers were added to partition 0. */
function makeRecent(seqs: readonly number[], options: Partial<RecentEntriesOptions> = {}) {
  const recent = new RecentEntries({ passed: () => 0, ...options })
  const add = (seq: number) => recent.add(makeEntry('d', `${seq}`), { part: 0, seq })
  for (const seq of seqs) add(seq)
  recent.trim([0])
  const labels = (after: number, count = 10) => recent.after(0, after, count).map(readLabel)
  return { recent, add, labels }
}

describe('recent entries', () => {
  it('follow a number in order, at most as many as asked for', () => {
    const { recent, labels } = makeRecent([5, 6, 7, 8])
    assert.deepEqual(labels(4), ['5', '6', '7', '8'])
    assert.deepEqual(labels(5, 2), ['6', '7'])
    assert.deepEqual(labels(8), [])
    const [entry] = recent.after(0, 4, 1)
    const { entry: added } = makeEntry('d', '5')
    assert.deepEqual(entry, { ...added, part: 0, seq: 5 })
  })

  it('are none for a consumer that is behind them, and in other partitions', () => {
    const { recent, labels } = makeRecent([5, 6])
    assert.deepEqual(labels(3), [])
    assert.deepEqual(recent.after(1, 4, 10), [])
  })

  it('begin anew behind numbers that others have', () => {
    const { labels } = makeRecent([1, 2, 4])
    assert.deepEqual(labels(0), [])
    assert.deepEqual(labels(2), [])
    assert.deepEqual(labels(3), ['4'])
  })

  it('say whether this process appended more', () => {
    const { recent } = makeRecent([1, 2])
    assert.equal(recent.endsAt(0, 1), false)
    assert.equal(recent.endsAt(0, 2), true)
    assert.equal(recent.endsAt(1, 0), true)
  })

  it('go when every consumer has passed them', () => {
    let passed = 0
    const { recent, add, labels } = makeRecent([1, 2, 3], { passed: () => passed })
    passed = 2
    recent.trim([0])
    assert.deepEqual([labels(1), labels(2)], [[], ['3']])
    passed = 3
    recent.trim([0])
    assert.equal(recent.endsAt(0, 3), true)
    add(4)
    assert.deepEqual(labels(3), ['4'])
  })

  it('are bounded by number and by size, and the newest stay', () => {
    assert.deepEqual(makeRecent([1, 2, 3], { entriesMax: 2 }).labels(1), ['2', '3'])
    const { body } = makeEntry('d', '1')
    const bytesMax = body.length * 2 + 1
    const { labels, recent, add } = makeRecent([1, 2, 3], { bytesMax })
    assert.deepEqual([labels(0), labels(1)], [[], ['2', '3']])
    add(4)
    recent.trim([0])
    assert.deepEqual([labels(1), labels(2)], [[], ['3', '4']])
  })
})
