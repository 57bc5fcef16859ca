import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { provisioningFixture, refuses } from '../../../../test/fixtures/provisioning.ts'
import { createContents } from './contents.ts'

describe('an upload', () => {
  it('ends at its largest size: one byte more is refused, and nothing of it is kept', async (t) => {
    const world = await provisioningFixture(t)
    const { business, database, provisioning } = world
    const { id } = await world.connector()
    const bytesMax = 700_000
    const contents = createContents(world.parts(), provisioning.connectors, bytesMax)
    const put = (size: number) => contents.put(business, id, 'image', {}, pieces(size))
    assert.equal((await put(bytesMax)).bytes, bytesMax)
    await refuses('too_large', () => put(bytesMax + 1))
    assert.equal((await contents.get(business, id, 'image')).bytes, bytesMax)
    const rows = await database.rows<{ bytes: number }>(
      `select sum(octet_length(data)) as bytes from provisioning_content_chunk
       where connector_id = $1`,
      [id],
    )
    assert.equal(Number(rows[0]?.bytes), bytesMax)
  })
})

/** Not a multiple of a chunk, so that the last byte stands in the middle of one. */
async function* pieces(size: number): AsyncGenerator<Buffer> {
  const step = 100_000
  for (let at = 0; at < size; at += step) yield Buffer.alloc(Math.min(step, size - at), 1)
}
