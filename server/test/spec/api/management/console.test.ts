import { strict as assert } from 'node:assert'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { testFolder } from '../../../fixtures/ends.ts'
import { assertOk, assertRefused, managementFixture } from '../../../fixtures/wire/management.ts'

const large = 'export const text = 1\n'.repeat(1_000)
const page = '<!doctype html><script type="module" src="/assets/app-1a2b.js"></script>'

async function built(t: TestContext) {
  const folder = await testFolder(t)
  const dir = join(folder, 'dist')
  await mkdir(join(dir, 'assets'), { recursive: true })
  await writeFile(join(dir, 'index.html'), page)
  await writeFile(join(dir, 'assets', 'app-1a2b.js'), 'export {}')
  await writeFile(join(dir, 'assets', 'large-3c4d.js'), large)
  await writeFile(join(dir, 'assets', 'font.woff2'), Buffer.from([0, 255, 128]))
  await writeFile(join(dir, '.env'), 'secret')
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await symlink(join(folder, 'secret.txt'), join(dir, 'link.txt'))
  return managementFixture(t, { change: { consoleDir: dir } })
}

test('the console is served at the root, with its types and a strict policy', async (t) => {
  const { ask } = await built(t)
  const root = await ask('GET', '/', { as: null })
  assertOk(root)
  assert.equal(root.body, page)
  assert.equal(root.headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(root.headers['cache-control'], 'no-cache')
  const policy = String(root.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /script-src 'self'(;|$)/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe-eval|\*/)
  assert.equal(root.headers['x-content-type-options'], 'nosniff')
  const script = await ask('GET', '/assets/app-1a2b.js?v=1', { as: null })
  assertOk(script)
  assert.equal(script.body, 'export {}')
  assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.match(String(script.headers['cache-control']), /immutable/)
  const font = await ask('GET', '/assets/font.woff2', { as: null })
  assert.deepEqual(font.rawPayload, Buffer.from([0, 255, 128]))
})

test('a file that the browser has is not sent again', async (t) => {
  const { ask } = await built(t)
  const { etag = '' } = (await ask('GET', '/')).headers
  const again = await ask('GET', '/', { headers: { 'if-none-match': String(etag) } })
  assertOk(again, 304)
  assert.equal(again.body, '')
  const head = await ask('HEAD', '/')
  assertOk(head)
  assert.equal(head.body, '')
})

test('what shrinks is sent compressed, in an encoding that the browser accepts', async (t) => {
  const { ask } = await built(t)
  const get = (accepted: string) =>
    ask('GET', '/assets/large-3c4d.js', { as: null, headers: { 'accept-encoding': accepted } })
  const brotli = await get('gzip, deflate, br')
  assertOk(brotli)
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), large)
  assert.match(String(brotli.headers.vary), /accept-encoding/i)
  const gzip = await get('gzip;q=1.0, br;q=0')
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(gzip.rawPayload).toString(), large)
  const plain = await get('identity')
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.equal(plain.body, large)
  const font = await ask('GET', '/assets/font.woff2', { headers: { 'accept-encoding': 'br' } })
  assert.equal(font.headers['content-encoding'], undefined)
})

test('a page of the console may be opened by its address, but not where the API is', async (t) => {
  const { ask } = await built(t)
  const headers = { accept: 'text/html,*/*' }
  const opened = await ask('GET', '/devices/pumps', { as: null, headers })
  assertOk(opened)
  assert.equal(opened.body, page)
  assertRefused(await ask('GET', '/devices/pumps', { as: null }), 'not_found')
  for (const url of ['/api', '/api:1/x', '/api%3A1/x', '/api/graphql', '/assets/gone.js']) {
    assertRefused(await ask('GET', url, { headers }), 'not_found')
  }
  assertRefused(await ask('POST', '/', { headers, body: {} }), 'not_found')
})

/** The path as it is, which a client's own library would tidy up. */
function rawStatus(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path }
    request(options, (response) => response.resume().on('end', () => resolve(response.statusCode)))
      .on('error', reject)
      .end()
  })
}

test('no path leads out of the build, and only files of the build are served', async (t) => {
  const { management } = await built(t)
  const server = createServer(await management.handler())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  assert.equal(await rawStatus(port, '/index.html'), 200)
  const outside = [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/..\\secret.txt',
    '//secret.txt',
    '/link.txt',
    '/.env',
    '/assets',
    '/assets/',
    '/index.html%00',
    '/constructor',
    '/__proto__',
    '/etc/passwd',
  ]
  for (const path of outside) assert.equal(await rawStatus(port, path), 404, path)
  assert.equal(await rawStatus(port, '/%'), 400)
})

test('without a build a plain page says so', async (t) => {
  const { ask } = await managementFixture(t)
  const root = await ask('GET', '/', { as: null })
  assertOk(root, 503)
  assert.match(root.body, /has not been built/)
  assert.equal(root.headers['content-type'], 'text/plain; charset=utf-8')
})
