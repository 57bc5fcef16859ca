import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { type Ask, askEndpoint } from '../../fixtures/endpoints.ts'
import { type InterfaceFixture, interfaceFixture } from '../../fixtures/interface.ts'
import type { OwnPlatform } from '../../fixtures/platform.ts'
import { serviceCalls, type Table } from '../../fixtures/service-calls.ts'
import { sharedBySuites } from '../../fixtures/suite.ts'

let fixture: InterfaceFixture<OwnPlatform>

const shareInstance = sharedBySuites(async (suite) => {
  fixture = await interfaceFixture(suite, { own: 'moves the clock away from that of scripts' })
})

const { ask, refused } = serviceCalls('content', () => fixture)

const at = (path: string, more: Ask = {}) =>
  askEndpoint(fixture.millrace.httpUrl, path, { host: 'pump.localhost', ...more })

type Signed = { readonly path: string; readonly url: string; readonly expires: number }

const sign = async (operation: string, args: Table) =>
  (await ask(operation, args)) as unknown as Signed

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
    const { database } = fixture.millrace.platform
    await ask('upload', { id: 'quota', content: 'kept' })
    await database.run('update content_solution set bytes = $1', [
      limits.solutionContentBytesMax - 2,
    ])
    await refused('upload', { id: 'quota', content: 'too much' }, 413, /keeps at most/)
    assert.equal((await ask('read', { id: 'quota' })).content, 'kept')
    await ask('upload', { id: 'quota', content: 'less' })
    await ask('clear')
    await database.run('update content_solution set bytes = 0')
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
