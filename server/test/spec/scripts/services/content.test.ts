import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { solutionContentLimits } from '../../../../src/scripts/services/content/index.ts'
import { type Ask, askEndpoint } from '../../../fixtures/endpoints.ts'
import { interfaceFixture, until } from '../../../fixtures/interface.ts'
import { serviceCalls, type Table } from '../../../fixtures/service-calls.ts'
import { sharedFixture } from '../../../fixtures/suite.ts'

const [fixture, shareInstance] = sharedFixture((suite) =>
  interfaceFixture(suite, { own: 'moves the clock away from that of scripts' }),
)

const { ask, refused } = serviceCalls('content', () => fixture)

const at = (path: string, more: Ask = {}) =>
  askEndpoint(fixture.millrace.httpUrl, path, { host: 'pump.localhost', ...more })

type Signed = { readonly path: string; readonly url: string; readonly expires: number }

const sign = async (operation: string, args: Table) =>
  (await ask(operation, args)) as unknown as Signed

const signPath = async (operation: string, args: Table) => (await sign(operation, args)).path

const database = () => fixture.millrace.platform.database
const sums = () =>
  database().one('select files, bytes from content_solution where solution_id = $1', ['pump'])
const partRows = async () =>
  (await database().rows('select length(data) as length from content_part')) as {
    length: number
  }[]
const uploads = () => database().rows('select target from content_upload')

const put = (path: string, body: Buffer, range?: string) =>
  at(path, { method: 'PUT', body, headers: range === undefined ? {} : { 'Content-Range': range } })

/** Sends pieces, as they are asked for. @returns the status */
async function stream(path: string, pieces: Iterable<Buffer>): Promise<number> {
  const sent = request(`${fixture.millrace.httpUrl}${path}`, {
    method: 'PUT',
    headers: { Host: 'pump.localhost' },
  })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject)
  })
  await pipeline(Readable.from(pieces), sent)
  return answered
}

const mib = 1_048_576

describe('content: files of a solution', () => {
  shareInstance()

  test('upload, info, read, list and delete', async () => {
    const source = `
      local bytes = string.char(0, 255, 65)
      local put = Content.upload{id = "a/1.bin", content = bytes, type = "image/png"}
      Content.upload{id = "a/2.txt", content = "zwei", type = "text/plain"}
      Content.upload{id = "b.txt", content = "b"}
      local info = Content.info{id = "a/1.bin"}
      local ids = {}
      for _, one in ipairs(Content.list{prefix = "a/"}) do ids[#ids + 1] = one.id end
      return {put.size, info.type, info.size, math.abs(info.mtime - os.time()) < 100,
        Content.read{id = "a/1.bin"}.content == bytes, Content.read{id = "a/2.txt"}.content, ids,
        Content.list{after = "a/2.txt"}[1].id, Content.delete{id = "b.txt"}.status,
        Content.info{id = "b.txt"}.status, Content.clear{prefix = "a/"}.removed}`
    const ids = ['a/1.bin', 'a/2.txt']
    const wanted = [3, 'image/png', 3, true, true, 'zwei', ids, 'b.txt', 204, 404, 2]
    assert.deepEqual(await fixture.run('pump', source), wanted)
  })

  test('bad ids, types and sizes are refused by name', async () => {
    for (const id of ['', '/a', 'a/', '../a', 'a/../b', 'a//b', 'a\0', 'x'.repeat(256), 'ä']) {
      await refused('upload', { id, content: 'x' }, 400, /id must be/)
    }
    await refused('upload', { id: 'a', content: { b: 1 } }, 400, /content must be/)
    const type = 'text/html\r\nSet-Cookie: a=b'
    await refused('upload', { id: 'a', content: 'x', type }, 400, /type must be/)
    await refused('download', { id: 'none' }, 404, /no such content/)
    await refused('delete', { id: 'none' }, 404, /no such content/)
    await refused('download', { id: 'a', expires_in: 0 }, 400, /expires_in/)
    await refused('info', {}, 400, /id must be given/)
  })

  test('the quota holds, and a refused content leaves what was there', async () => {
    await ask('upload', { id: 'quota', content: 'kept' })
    await database().run('update content_solution set bytes = $1', [
      limits.solutionContentBytesMax - 2,
    ])
    await refused('upload', { id: 'quota', content: 'too much' }, 413, /keeps at most/)
    assert.equal((await ask('read', { id: 'quota' })).content, 'kept')
    await ask('upload', { id: 'quota', content: 'less' })
    await ask('clear')
    await database().run('update content_solution set bytes = 0')
  })

  test('another solution sees nothing of it, and a removed one keeps nothing', async () => {
    await ask('upload', { id: 'mine', content: 'x' })
    await fixture.solution('next')
    const source = 'return {#Content.list(), Content.read{id = "mine"}.status}'
    assert.deepEqual(await fixture.run('next', source), [0, 404])
    await fixture.run('next', 'return Content.upload{id = "left", content = "x"}')
    assert.equal((await fixture.ask('DELETE', '/solution/next?confirm=next')).status, 204)
    await fixture.solution('next')
    assert.equal(await fixture.run('next', 'return #Content.list()'), 0)
  })
})

describe('content: signed URLs', () => {
  shareInstance()

  test('a content is read from its URL until the end of it', async () => {
    await ask('upload', { id: 'r/1.csv', content: 'a,b', type: 'text/csv' })
    const inAMinute = () => Math.floor(fixture.millrace.clock.nowMs() / 1_000) + 60
    const earliest = inAMinute()
    const { path, url, expires } = await sign('download', { id: 'r/1.csv', expires_in: '60' })
    assert.equal(url, `https://pump.localhost${path}`)
    assert.ok(earliest <= Number(expires) && Number(expires) <= inAMinute(), `${expires}`)
    const answer = await at(path)
    assert.deepEqual([answer.status, answer.text], [200, 'a,b'])
    assert.equal(answer.headers['content-type'], 'text/csv')
    assert.match(String(answer.headers['content-security-policy']), /sandbox/)
    assert.equal((await at(path, { method: 'HEAD' })).status, 200)
    fixture.millrace.clock.advance(60_000)
    assert.equal((await at(path)).status, 403)
  })

  test('a content is stored through its URL, and is not larger than it may be', async () => {
    const { path } = await sign('upload', { id: 'up.txt', type: 'text/plain' })
    assert.equal((await at(path, { method: 'PUT', body: 'sent' })).status, 204)
    const { content, type } = await ask('read', { id: 'up.txt' })
    assert.deepEqual([content, type], ['sent', 'text/plain'])
    const headers = { 'Content-Length': String(limits.solutionContentFileBytesMax + 1) }
    assert.equal((await at(path, { method: 'PUT', headers })).status, 413)
    assert.equal((await ask('read', { id: 'up.txt' })).content, 'sent')
  })

  test('a URL allows its method, on its solution, unchanged', async () => {
    await ask('upload', { id: 'only', content: 'x' })
    const { path } = await sign('download', { id: 'only' })
    assert.equal((await at(path, { method: 'PUT', body: 'other' })).status, 404)
    assert.equal((await at(path, { method: 'DELETE' })).status, 405)
    await fixture.solution('stranger')
    assert.equal((await at(path, { host: 'stranger.localhost' })).status, 404)
    const last = path.at(-1) === 'A' ? 'B' : 'A'
    for (const bad of [`${path.slice(0, -1)}${last}`, `${path}x`, '/.content/', '/.content/..']) {
      const { status } = await at(bad)
      assert.ok(status === 404, `${bad} ${status}`)
    }
    assert.equal((await ask('read', { id: 'only' })).content, 'x')
  })
})

describe('content: larger than memory should hold', () => {
  shareInstance()

  test('a content of 20 MiB is streamed in and out, in parts of the store', async () => {
    await ask('clear')
    const piece = randomBytes(mib + 7)
    const hash = createHash('sha256')
    const pieces = Array.from({ length: 20 }, () => piece)
    for (const one of pieces) hash.update(one)
    const path = await signPath('upload', { id: 'big.bin' })
    assert.equal(await stream(path, pieces), 204)
    assert.equal((await ask('info', { id: 'big.bin' })).size, 20 * piece.length)
    const parts = await partRows()
    assert.ok(parts.length > 20 && parts.every(({ length }) => length <= mib), `${parts.length}`)
    const link = await signPath('download', { id: 'big.bin' })
    const whole = await at(link)
    assert.deepEqual([whole.status, whole.body.length], [200, 20 * piece.length])
    assert.equal(createHash('sha256').update(whole.body).digest('hex'), hash.digest('hex'))
    const head = await at(link, { method: 'HEAD' })
    assert.equal(head.headers['content-length'], String(20 * piece.length))
    await refused('read', { id: 'big.bin' }, 413, /give offset and length/)
    await ask('upload', { id: 'big.bin', content: 'small' })
    assert.deepEqual(await partRows(), [])
    await ask('clear')
    assert.deepEqual(await sums(), { files: 0, bytes: 0 })
  })

  test('ranges are read, by a URL and by a script', async () => {
    const path = await signPath('upload', { id: 'r.bin' })
    const bytes = Buffer.concat([Buffer.alloc(mib - 2, 'a'), Buffer.from('bcdef')])
    assert.equal((await put(path, bytes)).status, 204)
    const link = await signPath('download', { id: 'r.bin' })
    const part = async (range: string, more = {}) => {
      const { status, text, headers } = await at(link, { headers: { Range: range, ...more } })
      return [status, text, headers['content-range']]
    }
    const size = bytes.length
    const middle = `bytes ${mib - 3}-${mib + 1}/${size}`
    assert.deepEqual(await part(`bytes=${mib - 3}-${mib + 1}`), [206, 'abcde', middle])
    assert.deepEqual(await part('bytes=-1'), [206, 'f', `bytes ${size - 1}-${size - 1}/${size}`])
    assert.deepEqual(await part(`bytes=${size}-`), [416, '', `bytes */${size}`])
    const etag = String((await at(link, { method: 'HEAD' })).headers.etag)
    assert.equal((await part('bytes=-1', { 'If-Range': etag }))[0], 206)
    assert.equal((await part('bytes=-1', { 'If-Range': '"x"' }))[0], 200)
    const source = `
      local part = Content.read{id = "r.bin", offset = ${mib - 3}, length = "5"}
      return {part.content, part.size, Content.read{id = "r.bin", offset = 9e9}.content}`
    assert.deepEqual(await fixture.run('pump', source), ['abcde', size, ''])
  })
})

describe('content: uploads in parts', () => {
  shareInstance()

  test('a URL takes parts one after the other, and says where it ends', async () => {
    const path = await signPath('upload', { id: 'p.txt', type: 'text/plain' })
    const first = await put(path, Buffer.from('one '), 'bytes 0-3/11')
    assert.deepEqual([first.status, first.headers.range], [202, 'bytes=0-3'])
    assert.equal((await ask('info', { id: 'p.txt' })).status, 404)
    const asked = await put(path, Buffer.alloc(0), 'bytes */11')
    assert.deepEqual([asked.status, asked.headers.range], [202, 'bytes=0-3'])
    const gap = await put(path, Buffer.from('three'), 'bytes 6-10/11')
    assert.deepEqual([gap.status, gap.headers.range], [409, 'bytes=0-3'])
    assert.equal((await put(path, Buffer.from('one '), 'bytes 0-3/11')).status, 409)
    assert.equal((await put(path, Buffer.from('two and'), 'bytes 4-10/11')).status, 204)
    const { content, type } = await ask('read', { id: 'p.txt' })
    assert.deepEqual([content, type], ['one two and', 'text/plain'])
  })

  test('a script sends parts', async () => {
    const source = `
      local first = Content.upload{id = "s.txt", content = "one ", offset = 0}
      local again = Content.upload{id = "s.txt", content = "uno ", offset = "0"}
      local wrong = Content.upload{id = "s.txt", content = "x", offset = 9}
      local last = Content.upload{id = "s.txt", content = "two", offset = again.offset, last = true}
      return {first.offset, wrong.status, last.size, Content.read{id = "s.txt"}.content}`
    assert.deepEqual(await fixture.run('pump', source), [4, 409, 7, 'uno two'])
  })

  test('headers that lie are refused, and nothing is stored', async () => {
    const path = await signPath('upload', { id: 'lies' })
    for (const range of [
      'bytes 5-2/9',
      'bytes 0-9/9',
      'bytes a-b/9',
      'lines 0-1/2',
      'bytes 0-1/*',
    ]) {
      assert.equal((await put(path, Buffer.from('xx'), range)).status, 400, range)
    }
    assert.equal((await put(path, Buffer.from('xyz'), 'bytes 0-1/9')).status, 400)
    assert.deepEqual(await uploads(), [])
    const link = await signPath('download', { id: 's.txt' })
    assert.equal((await put(link, Buffer.from('x'), 'bytes 0-0/2')).status, 404)
  })

  test('a body that is cut off leaves nothing', async () => {
    const before = await partRows()
    const path = await signPath('upload', { id: 'cut' })
    const { port } = new URL(fixture.millrace.httpUrl)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `PUT ${path} HTTP/1.1\r\nHost: pump.localhost\r\nContent-Length: ${3 * mib}\r\n\r\n`,
    )
    socket.write(Buffer.alloc(2 * mib, 'x'))
    await until(uploads, (rows) => rows.length > 0)
    socket.destroy()
    await until(uploads, (rows) => rows.length === 0)
    assert.deepEqual(await partRows(), before)
    assert.equal((await ask('info', { id: 'cut' })).status, 404)
  })

  test('the quota and the number of uploads hold for parts, too', async () => {
    await database().run('update content_solution set bytes = bytes + $1', [
      limits.solutionContentBytesMax,
    ])
    const path = await signPath('upload', { id: 'full' })
    assert.equal((await put(path, Buffer.from('x'))).status, 413)
    await database().run('update content_solution set bytes = bytes - $1', [
      limits.solutionContentBytesMax,
    ])
    await database().run(
      `insert into content_upload (solution_id, target, upload, updated_at)
       select 'pump', 'full ' || n, n, $2 from generate_series(1, $1::int) n`,
      [solutionContentLimits.solutionContentUploadsMax, fixture.millrace.clock.nowUs()],
    )
    await refused('upload', { id: 'many', content: 'x', offset: 0 }, 429, /uploads/)
    fixture.millrace.clock.advance(solutionContentLimits.solutionContentUploadIdleMs + 1)
    assert.equal((await ask('upload', { id: 'many', content: 'x', offset: 0 })).offset, 1)
    assert.equal((await uploads()).length, 1, 'those that were left are removed')
  })

  test('a removed solution keeps no parts', async () => {
    await fixture.solution('gone')
    const source = 'return Content.upload{id = "x", content = "x", offset = 0}.offset'
    assert.equal(await fixture.run('gone', source), 1)
    assert.equal((await fixture.ask('DELETE', '/solution/gone?confirm=gone')).status, 204)
    const text = 'select 1 from content_part where solution_id = $1'
    assert.deepEqual(await database().rows(text, ['gone']), [])
  })
})
