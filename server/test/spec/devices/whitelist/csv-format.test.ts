import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { provisioningLimits, readCsvRows } from '../../../../src/devices/provisioning/index.ts'
import { Fault } from '../../../../src/foundation/kernel/index.ts'
import { csvFixture, makeFile, parseCsv, quoted } from '../../../fixtures/wire/csv.ts'

let fixture: Awaited<ReturnType<typeof csvFixture>>
const onConnectors = () =>
  before(async () => {
    fixture = await csvFixture()
  })

const tooMany = ','.repeat(provisioningLimits.csvCellsMax)
const ids = (rows: string[][]) => rows.map(([id, status]) => `${id} ${status}`)

describe('what is a CSV file', () => {
  onConnectors()

  it('its first line must be the header: anything else is refused whole', async () => {
    const connector = await fixture.connector()
    const bad: readonly (readonly [string | Buffer, RegExp])[] = [
      ['\uFEFF', /^it is empty$/],
      ['\n\r\n,,\n , \t\n', /^it is empty$/],
      ['pump-1\npump-2\n', /^line 1: .*ID/],
      [
        'ID;Tags\npump-1;[]\n',
        /^line 1: the columns are separated by ";"; they must be by commas$/,
      ],
      ['sep=;\nID;Tags\n', /separated by ";"/],
      ['Tags\n[]\n', /^line 1/],
      ['ID,Tags,id\n', /twice/],
      ['{"ID":"pump-1"}\n', /./],
      ['ID\npump-1\n"pump-2\n', /^line [345]: a quote is not closed$/],
      ['ID\npump-1\npu"mp-2\n', /^line 3: a quote stands inside/],
      ['ID\n"pump-1" \n', /^line 2: after a closing quote/],
      ['ID\npump-1\n"', /a quote is not closed/],
      [Buffer.from('ID\npump-\xe9\n', 'latin1'), /UTF-8/],
      [Buffer.from('\uFEFFID\npump-1\n', 'utf16le'), /^it is UTF-16 and not UTF-8/],
      [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff]), /^it is a workbook of a spreadsheet/],
      [`ID\n"${'x'.repeat(provisioningLimits.csvRowBytesMax + 100)}`, /has more than \d+ bytes/],
      [`ID${tooMany}\n`, /^line 1: a row has more than 1000 cells$/],
      [`ID\r\n"a${tooMany}\r\n"\r\n\rb${tooMany}`, /^line 5: a row has more than 1000 cells$/],
    ]
    for (const [csv, reason] of bad) {
      await assert.rejects(fixture.take(connector, csv), (error: unknown) => {
        assert(error instanceof Fault)
        assert.equal(error.code, 'csv_invalid')
        assert.equal(error.detail, 'CSV file format invalid')
        assert.match(error.reason ?? '', reason, String(csv.slice(0, 40)))
        return true
      })
    }
    const { devices } = await fixture.provisioning.identities.list(
      connector.businessId,
      connector.id,
    )
    assert.deepEqual(devices, [], 'and nothing of it is there')
  })

  it('a piece of a file is read in many turns of the event loop', async () => {
    const file = makeFile(`ID\n${'a,,,,,,,,\n'.repeat(6_000)}`, 65_536)
    let turns = 0
    let isReading = true
    const count = () => {
      turns += 1
      if (isReading) setImmediate(count)
    }
    setImmediate(count)
    for await (const _ of readCsvRows(file.open()));
    isReading = false
    assert.ok(turns >= 25, `${turns} turns`)
  })

  it('a header alone is a file without rows', async () => {
    const { rows, counts } = await fixture.take(await fixture.connector(), 'ID')
    assert.deepEqual([rows, counts.total], [[], 0])
  })

  it('a byte order mark, CR LF, LF, CR, empty lines and trailing columns are taken', async () => {
    const connector = await fixture.connector()
    const csv = '\uFEFFID,Tags,,\r\na,,,\nb\r\r\n\r\n,,,\n"c",,\r\n""\nd'
    const { header, rows } = await fixture.take(connector, csv)
    assert.deepEqual(header, ['ID', 'Tags', '', '', 'status', 'code', 'message'])
    assert.deepEqual(rows, [
      ['a', '', '', '', 'added', '', ''],
      ['b', '', '', '', 'added', '', ''],
      ['c', '', '', '', 'added', '', ''],
      ['d', '', '', '', 'added', '', ''],
    ])
  })

  it('a row with more than the header has is refused, but for empty cells', async () => {
    const most = ','.repeat(provisioningLimits.csvCellsMax - 1)
    const { rows } = await fixture.take(
      await fixture.connector(),
      `ID\na,,\nb,x\nc${most}\n${most}\n`,
    )
    assert.deepEqual(ids(rows), ['a added', 'b failed', 'c added'])
    assert.equal(rows[1]?.[3], 'the row has more cells than the 1 of the header')
  })

  it('NUL, 1 MB, 10,000 characters, Unicode, paths, formulas are cells', async () => {
    const connector = await fixture.connector()
    const good = [
      '../../etc/passwd',
      '=1+1',
      'a b',
      ' a',
      'ключ',
      '👩‍🔧',
      'a"b',
      "a'b",
      'a\\b',
      '\uFEFFx',
    ]
    const bad = ['a\0b', 'x'.repeat(1_000_000), 'x'.repeat(10_000), 'a\nb', 'a\tb', '\0']
    const csv = ['ID\n', ...[...good, ...bad].map((id) => quoted(id))].join('')
    const { rows } = await fixture.take(connector, csv)
    assert.deepEqual(
      rows.map(([id, status]) => [id, status]),
      [...good.map((id) => [id, 'added']), ...bad.map((id) => [id, 'failed'])],
    )
    for (const id of good)
      assert.equal((await fixture.get(connector, id.trim())).identity, id.trim())
  })
})

describe('a CSV file of any content', () => {
  onConnectors()

  it('whatever its cells hold, they come back as they were, in the same order', async () => {
    const connector = await fixture.connector()
    const cell = fc.oneof(
      fc.string({
        unit: fc.constantFrom('"', ',', '\r', '\n', ' ', '\uFEFF', 'a', 'é', '👍', '\0'),
      }),
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    )
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (cells, pieceBytes) => {
        const rows = cells.filter((row) => row.some((text) => text.trim() !== ''))
        const csv = quoted('ID', 'x') + rows.map((row) => quoted(...row)).join('')
        const file = makeFile(csv, pieceBytes)
        const input = { dryRun: true }
        const taken = await fixture.provisioning.identities.importCsv(
          connector.businessId,
          connector.id,
          file,
          input,
        )
        let answer = ''
        for await (const text of taken.answer()) answer += text
        assert.deepEqual(
          parseCsv(answer)
            .slice(1)
            .map((row) => row.slice(0, 2)),
          rows,
        )
      }),
      { numRuns: 60 },
    )
  })

  it('whatever the bytes are, it is a file or it is refused', async () => {
    const connector = await fixture.connector()
    const text = fc.string({
      unit: fc.constantFrom('ID', '"', ',', '\r\n', '\n', '\r', 'a', '[]', '{'),
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), text), async (bytes) => {
        const csv = typeof bytes === 'string' ? `ID,Tags\n${bytes}` : Buffer.from(bytes)
        const taken = fixture.take(connector, csv, { dryRun: true })
        const done = await taken.catch((error: unknown) => {
          assert(error instanceof Fault && error.code === 'csv_invalid', String(error))
        })
        if (done) assert.equal(done.rows.length, done.counts.total)
      }),
      { numRuns: 100 },
    )
  })
})
