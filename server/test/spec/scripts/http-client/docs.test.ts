import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { httpPeer } from '../../../fixtures/http-client.ts'
import { interfaceFixture } from '../../../fixtures/interface.ts'

const page = join(import.meta.dirname, '../../../../../docs/reference/http-client.md')

test('the scripts of the page on the HTTP client work as they stand', async (t) => {
  const { run } = await interfaceFixture(t)
  const server = await httpPeer(t, (response, { body }) => response.end(body))
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/```lua\n([\s\S]+?)```/g)]
  const results: unknown[] = []
  for (const [, block = ''] of blocks) {
    results.push(await run('pump', block.replaceAll('https://api.example.com/', server.url)))
  }
  assert.deepEqual(results, [{ device: 'pump-7', level: 3 }, 200])
  assert.equal(server.last().url, '/orders?key=1234')
  assert.equal(server.last().headers.authorization, 'Bearer s3cr3t')
})
