import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { askEndpoint } from '../../../fixtures/endpoints.ts'
import { assertFault, assertStatus, emptySolution } from '../../../fixtures/solutions.ts'
import { send } from '../../../fixtures/wire/device.ts'

const [fixture, onInstance] = emptySolution()

const page = `<p>${'water '.repeat(1_000)}</p>`

async function put(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  token = fixture.millrace.token,
) {
  const url = `${fixture.millrace.httpUrl}/api:1/solution/pump/static/${encodeURIComponent(path)}`
  const headers = { Authorization: `Automation ${token}`, 'Content-Type': 'any/thing' }
  const response = await fetch(url, { method: 'PUT', headers, body })
  return { status: response.status, json: await response.json() }
}

function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { httpUrl, platform } = fixture.millrace
  return send(httpUrl, method, path, { Host: `pump.${platform.config.domain}`, ...headers })
}

const header = (text: string, name: string) =>
  new RegExp(`\\r\\n${name}: (.*)\\r\\n`, 'i').exec(text)?.[1]

describe('static files of a solution', () => {
  onInstance()

  it('are served on its host, with ETag, type and default page', async () => {
    assertStatus(await put('index.html', page), 201)
    assertStatus(await put('app/main.js', 'run()'), 201)
    const root = await get('/')
    assert.deepEqual([root.status, root.body], [200, page])
    assert.equal(header(root.text, 'Content-Type'), 'text/html; charset=utf-8')
    const etag = header(root.text, 'ETag') ?? ''
    const known = await get('/index.html?x=1', { 'If-None-Match': `"other", W/${etag}` })
    assert.deepEqual([known.status, known.body], [304, ''])
    const script = await get('/app/main.js')
    assert.equal(header(script.text, 'Content-Type'), 'text/javascript; charset=utf-8')
    assert.equal((await get('/app/')).status, 404)
    assert.equal((await get('/app')).status, 404)
    await put('index.html', 'new')
    const changed = await get('/', { 'If-None-Match': etag })
    assert.deepEqual([changed.status, changed.body], [200, 'new'])
  })

  it('are compressed for those who take that', async () => {
    await put('index.html', page)
    const headers = { 'Accept-Encoding': 'br, gzip;q=0.5' }
    const host = { host: `pump.${fixture.millrace.platform.config.domain}` }
    const zipped = await askEndpoint(fixture.millrace.httpUrl, '/', { ...host, headers })
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.equal(zipped.headers.vary, 'Accept-Encoding')
    assert.equal(zipped.headers['content-length'], String(zipped.body.length))
    assert.ok(zipped.body.length < page.length)
    assert.equal(gunzipSync(zipped.body).toString(), page)
    const refused = await get('/', { 'Accept-Encoding': 'gzip;q=0' })
    assert.equal(header(refused.text, 'Content-Encoding'), undefined)
  })

  it('are read in ranges', async () => {
    await put('data.bin', '0123456789')
    const part = async (range: string, more = {}) => {
      const { status, body, text } = await get('/data.bin', { Range: range, ...more })
      return [status, body, header(text, 'Content-Range')]
    }
    assert.deepEqual(await part('bytes=2-4'), [206, '234', 'bytes 2-4/10'])
    assert.deepEqual(await part('bytes=7-'), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await part('bytes=-3'), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await part('bytes=8-999999999999999'), [206, '89', 'bytes 8-9/10'])
    assert.deepEqual(await part('bytes=-99'), [206, '0123456789', 'bytes 0-9/10'])
    assert.deepEqual(await part('bytes=10-'), [416, '', 'bytes */10'])
    assert.deepEqual(await part('bytes=-0'), [416, '', 'bytes */10'])
    for (const range of ['bytes=4-2', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b']) {
      assert.deepEqual(await part(range), [200, '0123456789', undefined], range)
    }
    assert.equal((await part('bytes=2-4', { 'If-Range': '"other"' }))[0], 200)
  })

  it('an endpoint goes before a file, and its method counts', async () => {
    await put('api/x', 'file')
    await fixture.push({ 'endpoints/x.lua': '--#ENDPOINT GET /api/x\nreturn "script"' })
    assert.equal((await get('/api/x')).body, 'script')
    await fixture.push({ 'endpoints/x.lua': '--#ENDPOINT POST /api/x\nreturn "script"' })
    assert.equal((await get('/api/x')).status, 405)
    await fixture.push({})
    assert.equal((await get('/api/x')).body, 'file')
    assert.equal((await get('/api/x', {}, 'POST')).status, 404)
  })

  it('the project names the default page', async () => {
    await put('home.html', 'home')
    const tree = { 'murano.yaml': 'assets: { location: web, default_page: ./home.html }' }
    const pushed = await fixture.push(tree)
    assertStatus(pushed, 200)
    assert.equal(pushed.json.notes, undefined)
    assert.equal((await get('/')).body, 'home')
  })
})

describe('paths, limits and owners of static files', () => {
  onInstance()

  it('paths that lead up, are hidden or are no paths are refused', async () => {
    for (const path of ['../a', 'a/../b', '.env', 'a/.b', '/a', 'a/', 'a//b', 'a\\b', 'a\0b']) {
      assertFault(await put(path, 'x'), 'invalid_argument')
    }
    await put('index.html', page)
    for (const path of [
      '/../index.html',
      '/x/../index.html',
      '/%2e%2e/index.html',
      '/x%2f..%2findex.html',
      '/..%5cindex.html',
      '/index.html%00',
      '//index.html',
    ]) {
      assert.equal((await get(path)).status, 404, path)
    }
    assert.equal((await get('/%zz')).status, 400)
  })

  it('are bounded, and counted rightly when they are replaced', async () => {
    assertFault(await put('large.bin', new Uint8Array(8 * 1024 * 1024 + 1)), 'too_large')
    const { database } = fixture.millrace.platform
    const { files } = (await fixture.pump('GET', '/static')).json
    const sizes = files.map(({ size }: { size: number }) => size)
    const text = 'select files, bytes from webservice_static where solution_id = $1'
    assert.deepEqual(await database.one(text, ['pump']), {
      files: sizes.length,
      bytes: sizes.reduce((sum: number, size: number) => sum + size, 0),
    })
    for (const { path } of files) {
      const gone = await fixture.pump('DELETE', `/static/${encodeURIComponent(path)}`)
      assert.equal(gone.status, 204)
    }
    assert.deepEqual(await database.one(text, ['pump']), { files: 0, bytes: 0 })
    assertFault(await fixture.pump('DELETE', '/static/x'), 'not_found')
  })
})
