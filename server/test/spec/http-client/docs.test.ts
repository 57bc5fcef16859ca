import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { httpPeer } from '../../fixtures/http-client.ts'
import { solutionsFixture } from '../../fixtures/solutions.ts'

const page = join(import.meta.dirname, '../../../../docs/reference/http-client.md')

test('the scripts of the page on the HTTP client work as they stand', async (t) => {
  const fixture = await solutionsFixture(t)
  const server = await httpPeer(t, (response, { body }) => response.end(body))
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/```lua\n([\s\S]+?)```/g)]
  const { scripts, api } = fixture.millrace.platform.scripting
  const results: unknown[] = []
  for (const [, block = ''] of blocks) {
    const source = block.replaceAll('https://api.example.com/', server.url)
    const where = { businessId: fixture.businessId, solutionId: 'pump' }
    await scripts.put(fixture.businessId, 'pump', { kind: 'handler', name: 'probe_call' }, source)
    const call = { ...where, service: 'probe', event: 'call', argument: {} }
    const ended = await api.run(call)
    assert.equal(ended.kind, 'returned', JSON.stringify(ended))
    results.push(ended.kind === 'returned' ? ended.value : undefined)
  }
  assert.deepEqual(results, [{ device: 'pump-7', level: 3 }, 200])
  assert.equal(server.last().url, '/orders?key=1234')
  assert.equal(server.last().headers.authorization, 'Bearer s3cr3t')
})
