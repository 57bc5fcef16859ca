import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLogger } from '../../../../src/foundation/kernel/index.ts'
import {
  type Activity,
  activityLimits,
  type ConnectorLine,
  createActivity,
  type NewConnectorLine,
} from '../../../../src/log/activity/index.ts'
import type { Entry } from '../../../../src/log/eventlog/index.ts'
import { testDatabase } from '../../../fixtures/database.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { openEventLog } from '../../../fixtures/eventlog/open.ts'

const startUs = 1_700_000_000_000_000

async function newLog(t: TestContext) {
  const database = await testDatabase(t)
  const time = { us: startUs }
  const nowMs = () => Math.floor(time.us / 1_000)
  const clock = { nowUs: () => (time.us += 1), nowMs, elapsedMs: nowMs }
  const logger = createLogger('silent')
  const eventlog = openEventLog({ database, clock, logger })
  atEnd(t, () => eventlog.close())
  const activity = createActivity({ database, eventlog, clock, logger })
  atEnd(t, () => activity.close())
  const log = activity.connectors
  const advance = (ms: number) => {
    time.us += ms * 1_000
  }
  return { eventlog, log, clock, advance, database }
}

const write = (at: number, identity: string, values: Record<string, string>): Entry => ({
  businessId: 'b1',
  connectorId: 'c1',
  identity,
  kind: 'write',
  at,
  body: { ip: '10.0.0.1', protocol: 'https', payload: [{ timestamp: at, values }] },
})

const refusal = (part: Partial<NewConnectorLine> = {}): NewConnectorLine => ({
  businessId: 'b1',
  connectorId: 'c1',
  kind: 'refusal',
  identity: 'd1',
  ip: '10.0.0.1',
  protocol: 'https',
  code: 'locked',
  message: 'The identity is locked.',
  ...part,
})

type Query = NonNullable<Parameters<Activity['connectors']['lines']>[2]>

const shown = (lines: readonly ConnectorLine[]) => lines.map((line) => `${line.kind} ${line.count}`)

describe("a connector's log", () => {
  it('has entries and notes in one order, newest first, each stored once', async (t) => {
    const { eventlog, log, clock, database } = await newLog(t)
    const body = { ip: '', protocol: 'https' }
    await eventlog.append({ ...write(clock.nowUs(), 'd1', {}), kind: 'provisioned', body })
    await eventlog.append(write(clock.nowUs(), 'd1', { a: '1', b: 'x' }))
    log.write(refusal())
    await eventlog.append(write(clock.nowUs(), 'd2', { a: '2' }))
    await log.flush()
    const { lines, before } = await log.lines('b1', 'c1')
    assert.deepEqual(
      lines.map(({ kind, identity, message }) => [kind, identity, message]),
      [
        ['write', 'd2', 'Wrote a=2.'],
        ['refusal', 'd1', 'The identity is locked.'],
        ['write', 'd1', 'Wrote a=1, b=x.'],
        ['provision', 'd1', 'The device was provisioned.'],
      ],
    )
    assert.equal(before, undefined)
    const [newest, second] = lines
    assert.deepEqual(newest?.payload?.[0]?.values, { a: '2' })
    assert.equal(newest?.ip, '10.0.0.1')
    assert.equal(newest?.protocol, 'https')
    assert.equal(second?.severity, 'warning')
    assert.equal(second?.code, 'locked')
    const stored = await database.one<{ count: number }>('select count(*) from activity_line')
    assert.equal(stored?.count, 1)
  })

  it('shows nothing to another business, and nothing of another connector', async (t) => {
    const { eventlog, log, clock } = await newLog(t)
    await eventlog.append(write(clock.nowUs(), 'd1', { a: '1' }))
    log.write(refusal())
    await log.flush()
    assert.deepEqual((await log.lines('b2', 'c1')).lines, [])
    assert.deepEqual((await log.lines('b1', 'c2')).lines, [])
  })

  it('shows the size of a write that is too long for a line', async (t) => {
    const { eventlog, log, clock } = await newLog(t)
    const entry = write(clock.nowUs(), 'd1', { a: 'x'.repeat(activityLimits.lineBodyBytesMax) })
    await eventlog.append(entry)
    const [line] = (await log.lines('b1', 'c1')).lines
    assert.equal(line?.message, `Wrote ${JSON.stringify(entry.body).length} bytes.`)
    assert.equal(line?.payload, undefined)
    assert.equal(line?.ip, '10.0.0.1')
    assert.equal(line?.protocol, 'https')
  })

  it('stores whatever an unknown client sends as text that can be stored and shown', async (t) => {
    const { log } = await newLog(t)
    log.write(refusal({ identity: 'a\0\u001b[31m\ud800', message: `${'m'.repeat(9_999)}\n` }))
    await log.flush()
    const [line] = (await log.lines('b1', 'c1')).lines
    assert.equal(line?.identity, 'a\ufffd\ufffd[31m\ufffd')
    assert.equal(line?.message.length, activityLimits.connectorLineCharsMax)
  })

  it('logs at its end what was still only counted', async (t) => {
    const { log } = await newLog(t)
    for (let n = 0; n < 3; n += 1) log.write(refusal())
    await log.close()
    assert.deepEqual(shown((await log.lines('b1', 'c1')).lines), ['refusal 2', 'refusal 1'])
  })
})

describe('reading the log of a connector', () => {
  it('is read page by page, without a gap and without a repetition', async (t) => {
    const { eventlog, log, clock } = await newLog(t)
    const at = clock.nowUs()
    for (let n = 0; n < 23; n += 1) {
      // Several in the same microsecond: the key alone tells them apart.
      await eventlog.append(write(at + (n >> 2), `d${n % 5}`, { n: String(n) }))
      log.write(refusal({ identity: `r${n}` }))
    }
    await log.flush()
    const seen: string[] = []
    let before: Query['before']
    do {
      const page = await log.lines('b1', 'c1', { limit: 7, before })
      seen.push(...page.lines.map(({ id }) => id))
      before = page.before
    } while (before !== undefined)
    assert.equal(seen.length, 46)
    assert.equal(new Set(seen).size, 46)
  })

  const filters: readonly [string, Query, readonly string[]][] = [
    ['an identity', { identity: 'd2' }, ['write 1']],
    ['kinds', { kinds: ['refusal', 'read'] }, ['read 1', 'refusal 1']],
    ['a severity', { severity: 'warning' }, ['refusal 1']],
    ['part of a message', { text: 'IS LOCKED' }, ['refusal 1']],
    ['a value that was written', { text: 'sa"id' }, ['write 1']],
    ['an alias', { text: 'speech' }, ['write 1']],
    ['two at once', { identity: 'd1', text: 'nothing' }, []],
  ]
  for (const [what, asked, expected] of filters) {
    it(`is filtered by ${what}`, async (t) => {
      const { eventlog, log, clock } = await newLog(t)
      await eventlog.append(write(clock.nowUs(), 'd1', { speech: 'Sa"id' }))
      await eventlog.append(write(clock.nowUs(), 'd2', { a: '1' }))
      log.write(refusal())
      log.write(refusal({ kind: 'read', code: undefined, message: 'Read a.' }))
      await log.flush()
      assert.deepEqual(shown((await log.lines('b1', 'c1', asked)).lines), expected)
    })
  }
})

describe('repeated lines in the log of a connector', () => {
  it('logs a repetition once at first, and then as one line with its count', async (t) => {
    const { log, advance } = await newLog(t)
    for (let n = 0; n < 500; n += 1) log.write(refusal())
    await log.flush()
    assert.deepEqual(shown((await log.lines('b1', 'c1')).lines), ['refusal 1'])
    advance(activityLimits.lineRepeatMs - 1)
    await log.flush()
    assert.deepEqual(shown((await log.lines('b1', 'c1')).lines), ['refusal 1'])
    advance(1)
    await log.flush()
    assert.deepEqual(shown((await log.lines('b1', 'c1')).lines), ['refusal 499', 'refusal 1'])
  })

  it('counts what exceeds its lines a minute, and logs it in a line', async (t) => {
    const { log, advance } = await newLog(t)
    const more = 50
    for (let n = 0; n < activityLimits.linesPerMinuteMax + more; n += 1) {
      log.write(refusal({ identity: `unknown-${n}` }))
    }
    log.write(refusal({ kind: 'read', code: undefined, message: 'Read a.' }))
    await log.flush()
    const refusals = await log.lines('b1', 'c1', { kinds: ['refusal'], limit: 1_000 })
    assert.equal(refusals.lines.length, activityLimits.linesPerMinuteMax)
    assert.equal((await log.lines('b1', 'c1', { kinds: ['read'] })).lines.length, 1)
    advance(60_000)
    await log.flush()
    const [line] = (await log.lines('b1', 'c1', { kinds: ['log'] })).lines
    assert.equal(line?.code, 'lines_left_out')
    assert.equal(line?.count, more)
  })
})
