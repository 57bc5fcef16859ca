import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { connectorLog, type NewConnectorLine } from './connector.ts'
import { createFolder } from './fold.ts'
import { activityLimits } from './limits.ts'
import type { NewStoredLine } from './line.ts'

const refusal = (part: Partial<NewConnectorLine> = {}): NewConnectorLine => ({
  businessId: 'b',
  connectorId: 'c',
  kind: 'refusal',
  identity: 'd',
  ip: '10.0.0.1',
  protocol: 'https',
  code: 'locked',
  message: 'The identity is locked.',
  ...part,
})

function setUp() {
  const time = { ms: 1_000 }
  const elapsedMs = () => time.ms
  const clock = { nowMs: elapsedMs, nowUs: () => time.ms * 1_000, elapsedMs }
  const folder = createFolder(connectorLog, clock)
  const take = (line: NewConnectorLine, at: number) => folder.take(connectorLog.toStored(line, at))
  return { time, folder: { ...folder, take } }
}

const shown = (notes: readonly (NewStoredLine | undefined)[]) =>
  notes.map((note) => note && `${note.code ?? note.kind} ${note.count} at ${note.at}`)

describe('lines that repeat', () => {
  it('are one line at once, and one with the count and the last time at the end', () => {
    const { time, folder } = setUp()
    const taken = [11, 12, 13].map((at) => folder.take(refusal(), at))
    assert.deepEqual(shown(taken), ['locked 1 at 11', undefined, undefined])
    time.ms += activityLimits.lineRepeatMs - 1
    assert.deepEqual(folder.due(false), [])
    assert.equal(folder.isCounting(), true)
    time.ms += 1
    assert.deepEqual(shown(folder.due(false)), ['locked 2 at 13'])
    assert.equal(folder.isCounting(), false)
    assert.equal(folder.take(refusal(), 14), undefined, 'the window began again')
    assert.equal(folder.isCounting(), true)
    time.ms += activityLimits.lineRepeatMs
    assert.deepEqual(shown(folder.due(false)), ['locked 1 at 14'])
    time.ms += activityLimits.lineRepeatMs
    assert.deepEqual(folder.due(false), [], 'nothing came, nothing is said')
    assert.deepEqual(shown([folder.take(refusal(), 15)]), ['locked 1 at 15'])
  })

  it('are counted into the first one after their time, if nothing was read before', () => {
    const { time, folder } = setUp()
    for (const at of [1, 2, 3]) folder.take(refusal(), at)
    time.ms += activityLimits.lineRepeatMs
    assert.deepEqual(shown([folder.take(refusal(), 4)]), ['locked 3 at 4'])
    assert.equal(folder.isCounting(), false)
  })

  it('are written before their time if all are read', () => {
    const { folder } = setUp()
    for (const at of [1, 2]) folder.take(refusal(), at)
    folder.take(refusal({ identity: 'once' }), 3)
    assert.deepEqual(shown(folder.due(true)), ['locked 1 at 2'])
    assert.deepEqual(folder.due(true), [])
    assert.equal(folder.isCounting(), false)
  })

  it('are of one connector, kind, device, address, protocol and answer', () => {
    const { folder } = setUp()
    const others: Partial<NewConnectorLine>[] = [
      {},
      ...[{ connectorId: 'c2' }, { kind: 'read' as const }, { identity: 'd2' }, { ip: '::1' }],
      ...[{ protocol: 'mqtt' }, { code: 'plain_connection' }, { identity: null }],
    ]
    for (const part of others) assert.ok(folder.take(refusal(part), 1), JSON.stringify(part))
    assert.equal(folder.take(refusal({ message: 'In other words.' }), 2), undefined)
    const content = { kind: 'content', code: undefined } as const
    assert.ok(folder.take(refusal({ ...content, message: 'a.bin' }), 3))
    assert.ok(folder.take(refusal({ ...content, message: 'b.bin' }), 4))
    assert.equal(folder.take(refusal({ ...content, message: 'a.bin' }), 5), undefined)
  })

  it('are one whatever the identity, where it is the sender who makes identities up', () => {
    for (const code of ['too_many_requests', 'connector_full']) {
      const { folder } = setUp()
      assert.ok(folder.take(refusal({ code, identity: 'd1' }), 1))
      assert.equal(folder.take(refusal({ code, identity: 'd2' }), 2), undefined)
      assert.ok(folder.take(refusal({ code, identity: 'd2', ip: '10.0.0.2' }), 3))
    }
  })

  it('are remembered up to a number; the oldest counts as left out', () => {
    const { time, folder } = setUp()
    const of = (at: number) => refusal({ identity: `d${at}`, connectorId: `c${at}` })
    folder.take(of(0), 1)
    for (const at of [2, 3, 4]) folder.take(of(0), at)
    for (let at = 1; at < activityLimits.linesRememberedMax; at += 1) folder.take(of(at), 5)
    assert.equal(folder.take(of(0), 6), undefined, 'as many are remembered')
    assert.ok(folder.take(of(activityLimits.linesRememberedMax), 7))
    assert.equal(folder.isCounting(), true)
    assert.ok(folder.take(of(0), 8), 'it is a first one again')
    time.ms += 60_000
    const left = folder.due(true)
    assert.deepEqual(
      left.map(({ ownerId, code, count }) => [ownerId, code, count]),
      [['c0', 'lines_left_out', 4]],
    )
    assert.equal(folder.isCounting(), false)
  })
})

describe("a connector's lines a minute", () => {
  const one = (at: number, part: Partial<NewConnectorLine> = {}) =>
    refusal({ identity: `d${at}`, ...part })

  it('are counted past their number, and written once the minute is over', () => {
    const { time, folder } = setUp()
    const most = activityLimits.linesPerMinuteMax
    const kept = Array.from({ length: most + 3 }, (_, at) => folder.take(one(at), at))
    assert.equal(kept.filter(Boolean).length, most)
    assert.ok(kept[most - 1])
    assert.ok(folder.take(one(0, { kind: 'read', code: undefined }), 0), 'not of refusals')
    assert.ok(folder.take(one(0, { connectorId: 'c2' }), 0), 'not of another connector')
    assert.equal(folder.isCounting(), true)
    time.ms += 59_999
    assert.deepEqual(folder.due(false), [])
    assert.equal(folder.take(one(most + 10), 0), undefined)
    time.ms += 1
    const [line, ...more] = folder.due(false)
    assert.deepEqual([line?.code, line?.count, line?.kind], ['lines_left_out', 4, 'log'])
    assert.deepEqual([line?.subject, line?.severity, line?.at], [null, 'warning', 61_000_000])
    assert.equal(line?.text, '4 lines were left out: more came than the log takes.')
    assert.deepEqual(more, [])
    assert.equal(folder.isCounting(), false)
    assert.ok(folder.take(one(most + 11), 0), 'the next minute has its own')
  })

  it('begin anew after a minute in which none was left out', () => {
    const { time, folder } = setUp()
    const most = activityLimits.linesPerMinuteMax
    for (let at = 0; at < most; at += 1) assert.ok(folder.take(one(at), at))
    time.ms += 60_000
    for (let at = 0; at < most; at += 1) assert.ok(folder.take(one(at + most), at))
    assert.equal(folder.take(one(2 * most), 1), undefined)
  })

  it('count even a single one that was left out, also if the next minute came first', () => {
    const { time, folder } = setUp()
    const most = activityLimits.linesPerMinuteMax
    for (let at = 0; at <= most; at += 1) folder.take(one(at), at)
    time.ms += 60_000
    assert.equal(folder.take(one(most + 1), 1), undefined, 'until its line is said')
    assert.deepEqual(
      folder.due(false).map(({ code, count }) => [code, count]),
      [['lines_left_out', 2]],
    )
    assert.ok(folder.take(one(most + 2), 1))
  })

  it('count what could not be kept', () => {
    const { folder } = setUp()
    const note = { ...connectorLog.toStored(refusal(), 1), count: 7 }
    folder.leaveOut(note)
    folder.leaveOut(note)
    assert.equal(folder.isCounting(), true)
    assert.deepEqual(
      folder.due(true).map(({ code, count }) => [code, count]),
      [['lines_left_out', 14]],
    )
  })
})
