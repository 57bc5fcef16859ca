import { strict as assert } from 'node:assert'
import { it } from 'node:test'
import { assertOk, assertRefused, managementFixture } from '../fixtures/wire/management.ts'

it('serves the page and its files without a credential, and no other file', async (t) => {
  const { ask } = await managementFixture(t)
  const page = await ask('GET', '/api%3A1/docs/', { as: null })
  assertOk(page)
  assert.match(String(page.headers['content-security-policy']), /script-src 'self'(;|$)/)
  const files = [...page.body.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(files.length >= 4, String(files))
  for (const file of files) assertOk(await ask('GET', file, { as: null }))
  for (const file of ['package.json', '..%2Fpackage.json', 'swagger-ui.js']) {
    assertRefused(await ask('GET', `/api:1/docs/${file}`, { as: null }), 'not_found')
  }
})
