import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Connector } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { overTls } from '../../../fixtures/provisioning.ts'
import { csvFixture, quoted } from '../../../fixtures/wire/csv.ts'

const usPerHour = 3_600_000_000
const tagged = (id: string, value: string) => quoted(id, JSON.stringify([{ name: 'a', value }]))

let fixture: Awaited<ReturnType<typeof csvFixture>>
const onConnectors = () =>
  before(async () => {
    fixture = await csvFixture()
  })

const statuses = (rows: string[][]) => rows.map((row) => row.at(-3))

async function readExpiry(connector: Connector, identity: string) {
  return (await fixture.get(connector, identity)).auth.expire
}

describe('the rows of a file', () => {
  onConnectors()

  it('good rows land, bad rows can be corrected and sent again, unchanged otherwise', async () => {
    const connector = await fixture.connector({ identityFormat: { prefix: 'p-' } })
    const bad = `ID,Tags\n${tagged('p-1', 'x')}q-2,\n${tagged('p-3', 'x')}p-4,"[{}]"\n`
    const first = await fixture.take(connector, bad)
    assert.deepEqual(statuses(first.rows), ['added', 'failed', 'added', 'failed'])
    const again = await fixture.take(connector, bad)
    assert.deepEqual(statuses(again.rows), ['unchanged', 'failed', 'unchanged', 'failed'])
    const mended = first.answer.replace('q-2', 'p-2').replace('[{}]', '[]')
    const second = await fixture.take(connector, mended)
    assert.deepEqual(statuses(second.rows), ['unchanged', 'added', 'unchanged', 'added'])
    assert.deepEqual(second.header, ['ID', 'Tags', 'status', 'code', 'message'])
    assert.deepEqual(second.counts, { total: 4, added: 2, changed: 0, unchanged: 2, failed: 0 })
  })

  it('a dry run foretells what each row would do, and writes nothing', async () => {
    const connector = await fixture.connector()
    await fixture.take(connector, `ID,Tags\n${tagged('old', 'x')}same,\n`)
    const csv = `ID,Tags\n${tagged('old', 'y')}same,\nnew,\nbad,x\n`
    const expected = ['changed', 'unchanged', 'added', 'failed']
    for (const _ of [1, 2]) {
      const { rows } = await fixture.take(connector, csv, { dryRun: true })
      assert.deepEqual(statuses(rows), expected)
    }
    assert.deepEqual((await fixture.get(connector, 'old')).tags, [{ name: 'a', value: 'x' }])
    await assert.rejects(fixture.get(connector, 'new'))
    assert.deepEqual(statuses((await fixture.take(connector, csv)).rows), expected)
  })

  it('the deadline is 48 hours from now, or `expire` of every row', async () => {
    const connector = await fixture.connector()
    const before = fixture.clock.us
    await fixture.take(connector, 'ID\na\n')
    const hours = ((await readExpiry(connector, 'a')) ?? 0) - before
    assert.equal(Math.floor(hours / usPerHour), limits.activationWindowHours)
    const expire = before + 5 * usPerHour
    const { rows } = await fixture.take(connector, 'ID\na\nb\n', { expire })
    assert.deepEqual(statuses(rows), ['changed', 'added'])
    assert.deepEqual(
      [await readExpiry(connector, 'a'), await readExpiry(connector, 'b')],
      [expire, expire],
    )
    assert.deepEqual(statuses((await fixture.take(connector, 'ID\na\n', { expire })).rows), [
      'unchanged',
    ])
    await fixture.take(connector, 'ID\na\n', { expire: null })
    assert.equal(await readExpiry(connector, 'a'), undefined)
    await assert.rejects(
      fixture.take(connector, 'ID\na\n', { expire: 'soon' as never }),
      /expire must/,
    )
    const slip = fixture.take(connector, 'ID\na\n', { expire: 1_893_456_000 })
    await assert.rejects(slip, /expire must be in microseconds .* is in seconds/)
  })

  it('as for a single one, a closed window opens anew and an open one stays', async () => {
    const connector = await fixture.connector()
    await fixture.take(connector, 'ID\na\n')
    const first = await readExpiry(connector, 'a')
    fixture.clock.us += 47 * usPerHour
    assert.deepEqual(statuses((await fixture.take(connector, 'ID\na\n')).rows), ['unchanged'])
    assert.equal(await readExpiry(connector, 'a'), first)
    fixture.clock.us += 2 * usPerHour
    assert.deepEqual(statuses((await fixture.take(connector, 'ID\na\n')).rows), ['changed'])
    assert.equal((await fixture.get(connector, 'a')).status, 'whitelisted')
  })

  it('a device that is provisioned, locked or ordered to activate again stays so', async () => {
    const connector = await fixture.connector()
    const { business, provisioning } = fixture
    await fixture.take(connector, 'ID\nup\nshut\n')
    const { token } = await provisioning.activate(connector, 'up', overTls)
    await provisioning.identities.whitelist(business, connector.id, 'shut', { locked: true })
    const { rows } = await fixture.take(connector, `ID,Tags\n${tagged('up', 'x')}shut,\n`)
    assert.deepEqual(statuses(rows), ['changed', 'unchanged'])
    assert.equal((await fixture.get(connector, 'up')).status, 'provisioned')
    assert.equal((await fixture.get(connector, 'shut')).status, 'locked')
    const device = await provisioning.authenticateToken(token, { encrypted: true })
    assert.equal(device.identity, 'up')
  })
})

describe('equal rows in one file, and in several at once', () => {
  onConnectors()

  it('the same row twice changes nothing; of two that differ the later one counts', async () => {
    const connector = await fixture.connector()
    const rows = [tagged('a', 'x'), tagged('a', 'x'), tagged('b', 'x'), tagged('a', 'y')]
    const taken = await fixture.take(connector, `ID,Tags\n${rows.join('')}a,\n`)
    assert.deepEqual(statuses(taken.rows), ['added', 'unchanged', 'added', 'changed', 'unchanged'])
    assert.deepEqual((await fixture.get(connector, 'a')).tags, [{ name: 'a', value: 'y' }])
  })

  it('so do rows that are thousands apart', async () => {
    const connector = await fixture.connector()
    const many = Array.from({ length: 2_500 }, (_, at) => `n-${at},\n`).join('')
    const csv = `ID,Tags\n${tagged('a', 'x')}${many}${tagged('a', 'y')}${tagged('n-0', 'z')}`
    const { counts } = await fixture.take(connector, csv)
    assert.deepEqual(counts, { total: 2_503, added: 2_501, changed: 2, unchanged: 0, failed: 0 })
    assert.deepEqual((await fixture.get(connector, 'a')).tags, [{ name: 'a', value: 'y' }])
    assert.deepEqual((await fixture.get(connector, 'n-0')).tags, [{ name: 'a', value: 'z' }])
  })

  it('two files with the same rows in other orders do not stop each other', async () => {
    const connector = await fixture.connector()
    const ids = Array.from({ length: 3_000 }, (_, at) => `d-${at}`)
    const files = [ids, ids.toReversed(), ids.toSorted(), ids.toSorted().reverse()]
    const taken = await Promise.all(
      files.map((one) => fixture.take(connector, `ID\n${one.join('\n')}`, { expire: null })),
    )
    const added = taken.reduce((sum, { counts }) => sum + counts.added, 0)
    const failed = taken.reduce((sum, { counts }) => sum + counts.failed, 0)
    assert.deepEqual([added, failed], [ids.length, 0])
  })
})
