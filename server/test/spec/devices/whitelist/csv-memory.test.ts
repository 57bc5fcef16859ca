import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { csvFixture } from '../../../fixtures/wire/csv.ts'

const pieceRows = 100
// The most rows that may be read and not yet answered: the batch that is written, the one that is
// filled, and what the streams between the file and the parser hold.
const aheadMax = 2 * provisioningLimits.csvBatchRowsMax + 64 * pieceRows

/** A file of so many rows that is made while it is read, and counts how far it was read. */
function countedFile(rows: number) {
  const read = { rows: 0 }
  function* pieces() {
    yield Buffer.from('ID,Tags\n')
    for (let at = 0; at < rows; at += pieceRows) {
      const piece = Array.from({ length: pieceRows }, (_, row) => `device-${at + row},[]\n`)
      read.rows = at + pieceRows
      yield Buffer.from(piece.join(''))
    }
  }
  return { read, open: () => Readable.from(pieces(), { objectMode: false }) }
}

describe('a long file', async () => {
  const fixture = await csvFixture()

  it('is read no further than its answer is taken, however long it is', async () => {
    const connector = await fixture.connector()
    const file = countedFile(100_000)
    const { identities } = fixture.provisioning
    const taken = await identities.importCsv(connector.businessId, connector.id, file, {
      dryRun: true,
    })
    file.read.rows = 0
    let answered = -1
    let ahead = 0
    for await (const text of taken.answer()) {
      answered += text.split('\r\n').length - 1
      ahead = Math.max(ahead, file.read.rows - answered)
    }
    assert.equal(answered, 100_000)
    assert.ok(ahead > 0 && ahead <= aheadMax, `${ahead} rows were in memory`)
  })

  it('of which nobody takes the answer is not written', async () => {
    const connector = await fixture.connector()
    const file = countedFile(100_000)
    const taken = await fixture.provisioning.identities.importCsv(
      connector.businessId,
      connector.id,
      file,
    )
    file.read.rows = 0
    const answer = taken.answer()
    for (const _ of ['header', 'first batch']) await answer.next()
    // Time in which it could have gone on.
    for (let turn = 0; turn < 100; turn += 1) await fixture.database.rows('select 1')
    assert.ok(file.read.rows <= aheadMax, `${file.read.rows} rows were read`)
    await answer.return(undefined)
    const count = await fixture.database.one<{ count: number }>(
      'select count(*) from provisioning_identity where connector_id = $1',
      [connector.id],
    )
    assert.ok(
      (count?.count ?? 0) <= 2 * provisioningLimits.csvBatchRowsMax,
      `${count?.count} were written`,
    )
    assert.ok((count?.count ?? 0) >= provisioningLimits.csvBatchRowsMax)
  })
})
