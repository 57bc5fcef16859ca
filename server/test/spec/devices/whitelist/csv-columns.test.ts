import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { csvFixture, quoted } from '../../../fixtures/wire/csv.ts'

let fixture: Awaited<ReturnType<typeof csvFixture>>
const onConnectors = () =>
  before(async () => {
    fixture = await csvFixture()
  })

/** The table "Identities CSV file (bulk whitelisting)", in its words. */
describe('the identities CSV file', () => {
  onConnectors()

  it('ID: the identity. A file may contain only this column', async () => {
    const connector = await fixture.connector()
    const { header, rows } = await fixture.take(connector, 'ID\r\npump-1\r\npump-2')
    assert.deepEqual(header, ['ID', 'status', 'code', 'message'])
    assert.deepEqual(rows, [
      ['pump-1', 'added', '', ''],
      ['pump-2', 'added', '', ''],
    ])
    assert.equal((await fixture.get(connector, 'pump-2')).status, 'whitelisted')
  })

  it('ID is required: a row without it is refused', async () => {
    const connector = await fixture.connector()
    const { rows } = await fixture.take(connector, 'ID,Tags\n,[]\n')
    assert.deepEqual(rows, [['', '[]', 'failed', 'invalid_argument', 'ID must not be empty']])
  })

  it('white space around an ID is no part of it, and the answer names what was meant', async () => {
    const connector = await fixture.connector()
    const csv = 'ID,Tags\nc5 ,\n" c6",\n\u00a0c7\t,\nc 8,\nc5,\n" ",[]\n'
    const { rows, counts } = await fixture.take(connector, csv)
    const note = 'white space around the ID was removed: '
    assert.deepEqual(rows, [
      ['c5 ', '', 'added', '', `${note}c5`],
      [' c6', '', 'added', '', `${note}c6`],
      ['\u00a0c7\t', '', 'added', '', `${note}c7`],
      ['c 8', '', 'added', '', ''],
      ['c5', '', 'unchanged', '', 'an earlier row says the same'],
      [' ', '[]', 'failed', 'invalid_argument', 'ID must not be empty'],
    ])
    for (const one of ['c5', 'c6', 'c7', 'c 8']) await fixture.get(connector, one)
    await assert.rejects(fixture.get(connector, 'c5 '))
    assert.deepEqual(counts, {
      total: 6,
      added: 4,
      changed: 0,
      unchanged: 1,
      failed: 1,
      trimmed: 3,
    })
    const certificate = await fixture.take(connector, 'ID,TLS Client Certificate\n c5,\n')
    assert.deepEqual(certificate.rows, [[' c5', '', 'unchanged', '', `${note}c5`]])
  })

  it('an ID that a spreadsheet may have changed is taken, and its row says so', async () => {
    const connector = await fixture.connector()
    const guarded = '"=""00123"""'
    const ids = ['8.96529E+19', '5E+05', "'00123", guarded, 'a\u200bb', '1E05', '👩‍🔧']
    const { rows } = await fixture.take(connector, `ID\n${ids.join('\n')}\n`)
    const rounded = 'the ID looks like a number that a spreadsheet has rounded'
    assert.deepEqual(
      rows.map(([, status, , message]) => [status, message]),
      [
        ['added', rounded],
        ['added', rounded],
        ['added', "the ID begins with ', as spreadsheets mark a text"],
        ['added', 'the ID begins with =, as spreadsheets mark a text'],
        ['added', 'the ID holds the invisible character U+200B'],
        ['added', ''],
        ['added', ''],
      ],
    )
  })

  it('TLS Client Certificate: may be left blank', async () => {
    const connector = await fixture.connector()
    const { rows } = await fixture.take(connector, 'ID,TLS Client Certificate,Tags\npump-1,,\n')
    assert.deepEqual(rows, [['pump-1', '', '', 'added', '', '']])
  })

  it('the columns may stand in any order, in any case of letters, beside others', async () => {
    const connector = await fixture.connector()
    const csv = 'Note,tags, id ,Place\nx,"[{""name"":""a"",""value"":""b""}]",pump-1,"a,b"\n'
    const { header, rows } = await fixture.take(connector, csv)
    assert.deepEqual(header.slice(0, 4), ['Note', 'tags', ' id ', 'Place'])
    assert.deepEqual(rows[0]?.slice(2, 5), ['pump-1', 'a,b', 'added'])
    assert.deepEqual((await fixture.get(connector, 'pump-1')).tags, [{ name: 'a', value: 'b' }])
  })

  it("an identity conforms to the connector's format, or is rejected with the reason", async () => {
    const connector = await fixture.connector({
      identityFormat: { prefix: 'p-', type: 'number', length: 3 },
    })
    const { rows } = await fixture.take(connector, 'ID\np-123\np-12\n123\np-abc\n')
    assert.deepEqual(
      rows.map(([, status, , message]) => [status, message]),
      [
        ['added', ''],
        ['failed', 'ID must have 3 characters after the prefix'],
        ['failed', 'ID must start with p-'],
        ['failed', 'ID must be digits'],
      ],
    )
  })
})

describe('the column of tags', () => {
  onConnectors()

  it('Tags: JSON array of name/value objects, inner double quotes doubled', async () => {
    const connector = await fixture.connector()
    const tags = [
      { name: 'group', value: 'north' },
      { name: 'claim code', value: 'é, "7"\\n' },
    ]
    await fixture.take(connector, `ID,Tags\n${quoted('pump-1', JSON.stringify(tags))}`)
    assert.deepEqual((await fixture.get(connector, 'pump-1')).tags, tags)
  })

  it('Tags: blank changes nothing, [] removes them', async () => {
    const connector = await fixture.connector()
    const tags = [{ name: 'a', value: 'b' }]
    await fixture.take(connector, `ID,Tags\n${quoted('pump-1', JSON.stringify(tags))}`)
    assert.equal((await fixture.take(connector, 'ID,Tags\npump-1,\n')).rows[0]?.[2], 'unchanged')
    assert.deepEqual((await fixture.get(connector, 'pump-1')).tags, tags)
    assert.equal((await fixture.take(connector, 'ID,Tags\npump-1,[]\n')).rows[0]?.[2], 'changed')
    assert.deepEqual((await fixture.get(connector, 'pump-1')).tags, [])
  })

  it('Tags: every odd cell is refused with a sentence, and the next row lands', async () => {
    const connector = await fixture.connector()
    const many = Array.from({ length: 21 }, () => ({ name: 'n', value: 'v' }))
    const odd = [
      ...['{', 'north', '{}', '"a"', '1', 'null', '[1]', '[null]', '[[]]', '[{}]'],
      ...['[{"name":"a"}]', '[{"value":"a"}]', '[{"name":"","value":"a"}]'],
      ...['[{"name":"a","value":1}]', '[{"name":"a","value":"b","c":"d"}]'],
      ...['[{"name":"a\\u0000","value":"b"}]', '[{"name":"a","value":"\\ud800"}]'],
      JSON.stringify(many),
      '['.repeat(1_000_000),
      JSON.stringify([{ name: 'n'.repeat(1_000_000), value: '' }]),
    ]
    const csv = odd.map((cell, at) => quoted(`bad-${at}`, cell)).join('')
    const { rows, counts } = await fixture.take(connector, `ID,Tags\n${csv}good,\n`)
    for (const [identity, cell, status, code, message] of rows.slice(0, -1)) {
      assert.equal(cell, odd[Number(identity?.slice(4))])
      assert.deepEqual([status, code], ['failed', 'invalid_argument'], identity)
      assert.match(message ?? '', /^[Tt]ags/)
    }
    assert.deepEqual(counts, {
      total: odd.length + 1,
      added: 1,
      changed: 0,
      unchanged: 0,
      failed: odd.length,
    })
  })
})
