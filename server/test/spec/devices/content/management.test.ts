import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { waitMsMax } from '../../../fixtures/bounds.ts'
import { atEnd } from '../../../fixtures/ends.ts'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'
import { until } from '../../../fixtures/wire/mqtt-fleet.ts'

type Content = { id: string; content_type: string; size: number; meta: string; updated: number }

let millrace: OwnPlatform
let device: TestDevice
let base: string
let as: Record<string, string>
const onPlatform = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite, { movesClock: true })
  device = await newDevice(millrace.httpUrl, millrace.connector.id, 'reader')
  base = `${millrace.httpUrl}/api:1/service/${millrace.connector.id}/device2/content`
  as = { Authorization: `Automation ${millrace.token}` }
})

const put = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${base}/${path}`, { method: 'PUT', headers: { ...as, ...headers }, body })
const asked = async (response: Response) => {
  const { code } = (await response.json()) as { code: string }
  return `${response.status} ${code}`
}
const download = async (id: string) => {
  const path = `/provision/download?id=${encodeURIComponent(id)}`
  return send(millrace.httpUrl, 'GET', path, { 'X-vendor-CIK': device.token })
}
const countChunks = async () => {
  const row = await millrace.platform.database.one<{ count: number }>(
    'select count(*) as count from provisioning_content_chunk',
  )
  return row?.count
}

describe('content for devices, by the management API', () => {
  onPlatform()

  it('takes an upload of any type, and lists, shows and deletes it', async () => {
    const sent = await put('a%20b.hex?meta=v1', ':00000001FF\n', { 'Content-Type': 'text/x-hex' })
    assert.equal(sent.status, 201)
    const content = (await sent.json()) as Content
    const { updated, ...rest } = content
    assert.deepEqual(rest, { id: 'a b.hex', content_type: 'text/x-hex', size: 12, meta: 'v1' })
    assert.match(String(updated), /^\d{16}$/)
    const { contents } = (await (await fetch(base, { headers: as })).json()) as {
      contents: Content[]
    }
    assert.deepEqual(contents, [content])
    const one = await fetch(`${base}/a%20b.hex`, { headers: as })
    assert.deepEqual(await one.json(), content)
    assert.equal((await download('a b.hex')).body, ':00000001FF\n')
    const remove = () => fetch(`${base}/a%20b.hex`, { method: 'DELETE', headers: as })
    assert.equal((await remove()).status, 204)
    assert.equal(await asked(await remove()), '404 not_found')
    assert.equal((await download('a b.hex')).status, 404)
  })

  it('takes JSON, forms and multipart as bytes, and nothing as octets', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/x']) {
      const sent = await put('typed', '{"not": parsed', { 'Content-Type': type })
      assert.equal(sent.status, 201, await sent.clone().text())
      assert.equal(((await sent.json()) as Content).content_type, type)
      assert.equal((await download('typed')).body, '{"not": parsed')
    }
    const sent = await put('typed', Buffer.from('bytes'))
    assert.equal(((await sent.json()) as Content).content_type, 'application/octet-stream')
  })

  it('takes a body without a length, in pieces', async () => {
    const pieces = ['one ', 'two ', 'three']
    const sent = await fetch(`${base}/pieces`, {
      method: 'PUT',
      headers: as,
      body: ReadableStream.from(pieces.map((piece) => Buffer.from(piece))),
      duplex: 'half',
    } as RequestInit)
    assert.equal(sent.status, 201)
    const answer = await download('pieces')
    assert.equal(answer.body, pieces.join(''))
    assert.ok(answer.headers.includes('Content-Length: 13'))
  })
})

describe('an upload of content beside others, or cut', () => {
  onPlatform()

  it('replaces at once, and clears the old bytes away when their time is over', async () => {
    await put('swap', 'old')
    const before = (await countChunks()) ?? 0
    await put('swap', 'new')
    assert.equal((await download('swap')).body, 'new')
    const { contents } = millrace.platform.provisioning
    await contents.sweep()
    assert.equal(await countChunks(), before + 1)
    millrace.clock.advance(provisioningLimits.contentReplacedHours * 3_600_000 + 1)
    await contents.sweep()
    const { count } = (await millrace.platform.database.one<{ count: number }>(
      'select count(*) as count from provisioning_content where bytes > 0',
    )) ?? { count: -1 }
    assert.equal(await countChunks(), count)
    assert.equal((await download('swap')).body, 'new')
  })

  it('leaves what was there where an upload is cut, and nothing of the cut one', async () => {
    await put('cut', 'whole')
    const before = await countChunks()
    const { hostname, port } = new URL(millrace.httpUrl)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `PUT ${new URL(base).pathname}/cut HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: ${as.Authorization}\r\nContent-Length: 1000000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(2 * provisioningLimits.contentChunkBytes))
    await until(async () => (await countChunks()) !== before)
    socket.destroy()
    await until(async () => (await countChunks()) === before)
    assert.equal((await download('cut')).body, 'whole')
  })

  it('lets one of many uploads at once win, whole', async () => {
    const sizes = Array.from({ length: 8 }, (_, n) => provisioningLimits.contentChunkBytes + n)
    const sent = await Promise.all(sizes.map((size, n) => put('race', Buffer.alloc(size, 65 + n))))
    assert.deepEqual([...new Set(sent.map(({ status }) => status))], [201])
    const { body } = await download('race')
    const letter = body.slice(0, 1)
    assert.equal(
      body,
      letter.repeat(provisioningLimits.contentChunkBytes + letter.charCodeAt(0) - 65),
    )
  })
})

const mib = 1024 * 1024
const service = () => new URL(base).pathname.replace(/content$/, '')
/** A content is refused by its length, a list when too much of it was read. */
const large = {
  content: { path: () => `${service()}content/large`, bytes: limits.contentBytesMax + 1 },
  'revocation list': { path: () => `${service()}crl`, bytes: 64 * mib },
}

const bounded = () => ({ signal: AbortSignal.timeout(waitMsMax) })

/** Begins an upload that is refused, on a socket that reads nothing yet. */
function beginUpload(t: Pick<TestContext, 'after'>, what: keyof typeof large) {
  const { port } = new URL(base)
  const { path, bytes } = large[what]
  const socket = connect(Number(port), '127.0.0.1')
  atEnd(t, () => socket.destroy())
  const head = [
    `PUT ${path()} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${as.Authorization}`,
    `Content-Length: ${bytes}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return socket
}

describe('an upload that is refused before its end', () => {
  onPlatform()

  for (const what of Object.keys(large) as (keyof typeof large)[]) {
    it(`is answered although its client sends much before it reads (${what})`, async (t) => {
      const socket = beginUpload(t, what)
      await new Promise<void>((resolve, reject) => {
        socket.write(Buffer.alloc(16 * mib), (error) => (error ? reject(error) : resolve()))
      })
      const [answer] = await once(socket, 'data', bounded())
      assert.match(String(answer), /^HTTP\/1\.1 413 /)
    })
  }

  it('is cut off if its client neither goes on nor closes', async (t) => {
    const socket = beginUpload(t, 'content')
    await once(socket, 'data', bounded())
    socket.on('error', () => undefined)
    await once(socket, 'close', bounded())
  })
})

describe('an upload of content that is refused', () => {
  onPlatform()

  const wrongIds = ['a%2Cb', 'a%22b', 'a%0Ab', 'a%2Fb', '%20a', 'x'.repeat(129), 'a%00b', 'a%5Cb']
  for (const id of wrongIds) {
    it(`refuses the id ${id.slice(0, 8)}, and stores nothing`, async () => {
      const before = await countChunks()
      assert.equal(await asked(await put(id, 'x')), '400 invalid_argument')
      assert.equal(await countChunks(), before)
    })
  }

  const wrong: readonly [string, string, Record<string, string>][] = [
    ['a meta that is too long', `m?meta=${'m'.repeat(limits.settingCharsMax + 1)}`, {}],
    ['a meta with a line end', 'm?meta=a%0D%0Ab', {}],
    ['two metas', 'm?meta=a&meta=b', {}],
    ['a query that is not known', 'm?mta=a', {}],
    ['a content type that is too long', 'm', { 'Content-Type': `a/${'b'.repeat(200)}` }],
  ]
  for (const [what, path, headers] of wrong) {
    it(`refuses an upload with ${what}`, async () => {
      assert.equal(await asked(await put(path, 'x', headers)), '400 invalid_argument')
      assert.equal((await download('m')).status, 404)
    })
  }

  it('refuses a content type that is none', async () => {
    const sent = await put('m', 'x', { 'Content-Type': 'firmware' })
    assert.equal(await asked(sent), '415 wrong_content_type')
    assert.equal((await download('m')).status, 404)
  })

  it('refuses one content too many, and still replaces one that is there', async () => {
    const { provisioning, database } = millrace.platform
    const full = await provisioning.connectors.create(millrace.businessId, { name: 'full' })
    await database.run(
      `insert into provisioning_content
         (connector_id, id, generation, content_type, bytes, meta, updated_at)
       select $1, 'c' || n, 'g' || n, 'a/b', 0, '', 0 from generate_series(1, $2::integer) as n`,
      [full.id, provisioningLimits.contentsMax],
    )
    const url = `${millrace.httpUrl}/api:1/service/${full.id}/device2/content`
    const more = await fetch(`${url}/more`, { method: 'PUT', headers: as, body: 'x' })
    assert.equal(await asked(more), '400 invalid_argument')
    const known = await fetch(`${url}/c1`, { method: 'PUT', headers: as, body: 'x' })
    assert.equal(known.status, 201)
  })
})
