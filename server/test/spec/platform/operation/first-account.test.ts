import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { atEnd } from '../../../fixtures/ends.ts'
import { testPlatform } from '../../../fixtures/platform.ts'
import { startCli } from '../../../fixtures/processes/cli-process.ts'

const account = { business: 'Acme', email: 'a@b.example', password: 'a long phrase' }

function create(url: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body: JSON.stringify(body) }
  return fetch(`${url}/api:1/first-account`, options)
}

it('serve on an empty database prints a link that makes the first account, once', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-first-'))
  atEnd(t, () => rm(folder, { recursive: true, force: true, maxRetries: 20 }))
  const { DATABASE_URL: _server, ...rest } = process.env
  const ports = { MILLRACE_HTTP: '127.0.0.1:0', MILLRACE_DEVICE_TLS: '127.0.0.1:0' }
  const data = { MILLRACE_DATA: join(folder, 'data'), MILLRACE_MQTT_TLS: 'off' }
  const env = { ...rest, ...ports, ...data }
  const first = startCli(t, ['serve'], { cwd: folder, env })
  const link = /Make the first one at (http:\/\/[^/]+)\/first-account#([0-9a-f]{40})/
  const [, url = '', code = ''] = await first.prints(link)
  const page = await (await fetch(`${url}/first-account`)).text()
  assert.match(page, /<h1>First account<\/h1>/)
  assert.ok(!page.includes(code))
  assert.equal((await create(url, { code: '0'.repeat(40), ...account })).status, 401)
  assert.equal((await create(url, { code, ...account, password: 'x' })).status, 400)
  assert.equal((await create(url, { code, ...account })).status, 201)
  const again = await create(url, { code, ...account, business: 'Other', email: 'c@d.example' })
  assert.equal(again.status, 401)
  const body = JSON.stringify({ email: account.email, password: account.password })
  const headers = { 'content-type': 'application/json' }
  const session = await fetch(`${url}/api:1/token`, { method: 'POST', headers, body })
  assert.equal(session.status, 200)
  assert.equal(await first.end('SIGTERM'), 0)
  const second = startCli(t, ['serve'], { cwd: folder, env })
  await second.prints(/Millrace answers at/)
  assert.equal(await second.end('SIGTERM'), 0)
  assert.doesNotMatch(second.printed(), /first-account/)
})

it('an instance with an account has no link, and takes none of before', async (t) => {
  const millrace = await testPlatform(t)
  assert.equal(await millrace.firstAccountUrl(), undefined)
  const answer = await create(millrace.httpUrl, { code: '', ...account })
  assert.equal(answer.status, 401)
  assert.match(await answer.text(), /"code":"unknown_credential"/)
})
