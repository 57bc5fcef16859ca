import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { provisioningLimits } from '../../../../src/devices/provisioning/index.ts'
import { isLongForm } from '../../../fixtures/bounds.ts'
import { atEnd, testFolder } from '../../../fixtures/ends.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'

const run = promisify(execFile)
const mib = 1024 * 1024
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let millrace: TestPlatform
let device: TestDevice
let folder: string
let managed: string
const onPlatform = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
  device = await newDevice(millrace.httpUrl, millrace.connector.id, 'downloader')
  folder = await testFolder(suite)
  managed = `${millrace.httpUrl}/api:1/service/${millrace.connector.id}/device2/content`
})

const file = (name: string) => join(folder, name)

async function* pieces(size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; at += mib) yield Buffer.alloc(mib, 7)
}

async function curl(...args: string[]): Promise<string> {
  const { stdout } = await run('curl', ['-sS', '--max-time', '60', ...args])
  return stdout
}

const upload = (id: string, bytes: Buffer, ...args: string[]) =>
  uploadTo(`${managed}/${id}`, bytes, ...args)

async function uploadTo(url: string, bytes: Buffer, ...args: string[]): Promise<void> {
  await writeFile(file('upload'), bytes)
  const as = ['-H', `Authorization: Automation ${millrace.token}`]
  const out = ['-o', file('answer'), '-w', '%{http_code}']
  const status = await curl('-T', file('upload'), ...as, ...args, ...out, url)
  assert.equal(status, '201', await readFile(file('answer'), 'utf8'))
}

/** Downloads to a file. @returns curl's account of it. */
function download(query: string, to: string, ...args: string[]): Promise<string> {
  const credential = ['-H', `X-vendor-CIK: ${device.token}`]
  const url = `${millrace.httpUrl}/provision/download${query}`
  return curl(...credential, ...args, '-o', file(to), '-w', '%{http_code} %{size_download}', url)
}

const ask = (query: string, headers: Readonly<Record<string, string>> = {}) =>
  askAs(device, query, headers)

const askAs = (
  { token }: TestDevice,
  query: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  send(millrace.httpUrl, 'GET', `/provision/download${query}`, {
    'X-vendor-CIK': token,
    ...headers,
  })

/** A device of a connector of its own, which has no contents. */
async function otherDevice(name: string): Promise<{ connectorId: string; other: TestDevice }> {
  const { provisioning } = millrace.platform
  const { id } = await provisioning.connectors.create(millrace.businessId, {
    name,
    devmode: true,
    selfRegistration: true,
  })
  return { connectorId: id, other: await newDevice(millrace.httpUrl, id, name) }
}

describe('content for devices, with curl as the client', () => {
  onPlatform()

  it('is cut off when the device is locked on the way', async (t) => {
    const { businessId, connector, platform, httpUrl } = millrace
    const { contents, identities } = platform.provisioning
    const late = await newDevice(httpUrl, connector.id, 'locked-on-the-way')
    const size = 32 * mib
    await contents.put(businessId, connector.id, 'long', {}, pieces(size))
    const socket = connect(Number(new URL(httpUrl).port), '127.0.0.1')
    atEnd(t, () => socket.destroy())
    const head = `GET /provision/download?id=long HTTP/1.1\r\nHost: x\r\n`
    socket.write(`${head}X-vendor-CIK: ${late.token}\r\n\r\n`)
    // Bytes that it does not read stay with the server, which waits for it.
    await new Promise((resolve) => socket.once('readable', resolve))
    await identities.whitelist(businessId, connector.id, late.identity, { locked: true })
    let received = 0
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      received += chunk.length
    })
    await new Promise((resolve) => socket.once('close', resolve))
    assert.ok(received > 0 && received < size, `${received} bytes`)
    await contents.remove(businessId, connector.id, 'long')
  })

  it('lists what there is, one id a line, and nothing at first', async () => {
    const { connectorId, other } = await otherDevice('lister')
    const contents = `${millrace.httpUrl}/api:1/service/${connectorId}/device2/content`
    const none = await askAs(other, '')
    assert.equal(none.status, 200)
    assert.equal(none.body, '')
    const json = ['-H', 'Content-Type: application/json']
    await uploadTo(`${contents}/firmware-1.bin`, Buffer.from('one'))
    await uploadTo(`${contents}/config.json`, Buffer.from('{}'), ...json)
    const listed = await askAs(other, '')
    assert.equal(listed.status, 200)
    assert.ok(listed.headers.includes('Content-Type: text/csv; charset=utf-8'))
    assert.equal(listed.body, 'config.json\r\nfirmware-1.bin\r\n')
  })

  it('returns content type, size, time and meta of one', async () => {
    const fromS = Math.floor(millrace.clock.nowMs() / 1_000)
    await upload(
      'described?meta=v1.2%2C%20%22beta%22',
      Buffer.alloc(12),
      '-H',
      'Content-Type: image/png',
    )
    const answer = await ask('?id=described&info=true')
    assert.equal(answer.status, 200)
    assert.ok(answer.headers.includes('Content-Type: text/csv; charset=utf-8'))
    const [, type, size, updated, meta] = /^([^,]+),(\d+),(\d+),(.*)$/.exec(answer.body) ?? []
    assert.deepEqual([type, size, meta], ['image/png', '12', '"v1.2, ""beta"""'])
    assert.ok(Number(updated) >= fromS && Number(updated) <= fromS + 60)
  })

  it('sends all of it, with a Content-Length and canonical names', async () => {
    const bytes = randomBytes(3 * mib + 17)
    await upload('whole', bytes, '-H', 'Content-Type: application/x-firmware')
    assert.equal(await download('?id=whole', 'whole'), `200 ${bytes.length}`)
    assert.equal(sha256(await readFile(file('whole'))), sha256(bytes))
    const { headers, text } = await ask('?id=whole')
    assert.match(text, /^HTTP\/1\.1 200 /)
    assert.ok(headers.includes(`Content-Length: ${bytes.length}`))
    assert.ok(headers.includes('Content-Type: application/x-firmware'))
    assert.ok(headers.includes('Accept-Ranges: bytes'))
    assert.ok(headers.some((line) => line.startsWith('Date: ')))
    assert.ok(!headers.some((line) => /^transfer-encoding/i.test(line)))
  })

  it('sends a content of no bytes', async () => {
    await upload('nothing', Buffer.alloc(0))
    const answer = await ask('?id=nothing')
    assert.equal(answer.status, 200)
    assert.ok(answer.headers.includes('Content-Length: 0'))
    assert.equal((await ask('?id=nothing', { Range: 'bytes=0-' })).status, 416)
  })

  it('answers HEAD with the size, also of a range, and counts no download', async () => {
    await upload('sized', Buffer.alloc(70_000, 1))
    const url = `${millrace.httpUrl}/provision/download?id=sized`
    const head = (...args: string[]) =>
      curl('-I', '-H', `X-vendor-CIK: ${device.token}`, ...args, url)
    assert.match(await head(), /^HTTP\/1\.1 200 [\s\S]*\r\nContent-Length: 70000\r\n/)
    const range = await head('-r', '10-19')
    assert.match(range, /^HTTP\/1\.1 206 [\s\S]*\r\nContent-Range: bytes 10-19\/70000\r\n/)
    assert.match(range, /\r\nContent-Length: 10\r\n/)
    const { activity } = millrace.platform
    await activity.flush()
    const { businessId, connector } = millrace
    const asked = { kinds: ['content'], text: 'sized' } as const
    assert.deepEqual((await activity.connectors.lines(businessId, connector.id, asked)).lines, [])
  })

  it('logs who downloaded what', async () => {
    await upload('noted', Buffer.from('x'.repeat(10)))
    await ask('?id=noted')
    const { activity } = millrace.platform
    await activity.flush()
    const asked = { kinds: ['content'], text: 'noted' } as const
    const { lines } = await activity.connectors.lines(
      millrace.businessId,
      millrace.connector.id,
      asked,
    )
    assert.equal(lines[0]?.identity, 'downloader')
    assert.equal(lines[0]?.message, 'Downloaded 10 bytes of noted.')
  })
})

describe('ranges of a content that is longer than two chunks', () => {
  onPlatform()
  const size = 2 * provisioningLimits.contentChunkBytes + 1_000
  const bytes = randomBytes(size)
  const edge = provisioningLimits.contentChunkBytes
  before(() => upload('ranged', bytes))

  const ranges: readonly [string, number, number][] = [
    ['0-0', 0, 1],
    ['0-99', 0, 100],
    [`${edge - 1}-${edge}`, edge - 1, edge + 1],
    [`${edge}-`, edge, size],
    ['-1', size - 1, size],
    [`-${edge + 5}`, size - edge - 5, size],
    [`-${size + 1}`, 0, size],
    [`${size - 1}-${size + 100}`, size - 1, size],
    [`0-${size - 1}`, 0, size],
  ]
  for (const [range, from, to] of ranges) {
    it(`sends bytes=${range} as a 206`, async () => {
      assert.equal(await download('?id=ranged', 'part', '-r', range), `206 ${to - from}`)
      assert.ok((await readFile(file('part'))).equals(bytes.subarray(from, to)))
      const { headers } = await ask('?id=ranged', { Range: `bytes=${range}` })
      assert.ok(headers.includes(`Content-Range: bytes ${from}-${to - 1}/${size}`))
      assert.ok(headers.includes(`Content-Length: ${to - from}`))
      assert.ok(headers.includes('Accept-Ranges: bytes'))
    })
  }

  for (const range of [`${size}-`, `${size}-${size + 5}`, '-0', `${'9'.repeat(40)}-`]) {
    it(`rejects bytes=${range} with a 416 that has the size`, async () => {
      const answer = await ask('?id=ranged', { Range: `bytes=${range}` })
      assert.equal(answer.status, 416)
      assert.equal(answer.body, 'range_refused')
      assert.ok(answer.headers.includes(`Content-Range: bytes */${size}`))
    })
  }

  for (const range of ['bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=0-5', 'bytes=0-1,5-6']) {
    it(`sends all of it for a Range that reads ${range}`, async () => {
      assert.equal((await ask('?id=ranged', { Range: range })).status, 200)
    })
  }

  it('goes on where a download was cut: curl -C -', async () => {
    await writeFile(file('resumed'), bytes.subarray(0, edge + 7))
    const output = await download('?id=ranged', 'resumed', '-C', '-')
    assert.equal(output, `206 ${size - edge - 7}`)
    assert.ok((await readFile(file('resumed'))).equals(bytes))
  })

  it('sends all of it where If-Range names another upload', async () => {
    const { headers } = await ask('?id=ranged&info=false', { Range: 'bytes=0-0' })
    const etag = headers.find((line) => line.startsWith('ETag: '))?.slice('ETag: '.length) ?? ''
    assert.match(etag, /^"[a-z0-9]+"$/)
    const asked = { Range: 'bytes=0-9' }
    assert.equal((await ask('?id=ranged', { ...asked, 'If-Range': etag })).status, 206)
    assert.equal((await ask('?id=ranged', { ...asked, 'If-Range': '"other"' })).status, 200)
  })
})

describe('a request for content that is refused', () => {
  onPlatform()

  it('refuses who may not: 401 without a credential, 403 for a locked identity', async () => {
    const path = '/provision/download'
    assert.equal((await send(millrace.httpUrl, 'GET', path, {})).status, 401)
    const locked = await newDevice(millrace.httpUrl, millrace.connector.id, 'locked')
    const { identities } = millrace.platform.provisioning
    const { businessId, connector } = millrace
    await identities.whitelist(businessId, connector.id, 'locked', { locked: true })
    const headers = { 'X-vendor-CIK': locked.token }
    const answer = await send(millrace.httpUrl, 'GET', path, headers)
    assert.equal(answer.status, 403)
    assert.equal(answer.body, 'locked')
  })

  for (const query of ['?id=unknown', '?id=', '?id=..', `?id=${'x'.repeat(600)}`]) {
    it(`answers 404 where there is no content: ${query.slice(0, 12)}`, async () => {
      assert.equal((await ask(query)).status, 404)
      assert.equal((await ask(`${query}&info=true`)).status, 404)
    })
  }

  it('answers 400 where the id holds a NUL', async () => {
    assert.equal((await ask('?id=a%00b')).status, 400)
  })

  it('answers 405 to other methods', async () => {
    const answer = await send(millrace.httpUrl, 'POST', '/provision/download', {
      'X-vendor-CIK': device.token,
    })
    assert.equal(answer.status, 405)
  })

  it('shows the contents of one connector to none of another', async () => {
    await upload('not-shared', Buffer.from('x'))
    const { other } = await otherDevice('unknown')
    assert.equal((await askAs(other, '')).body, '')
    assert.equal((await askAs(other, '?id=not-shared')).status, 404)
  })
})

describe('an image of many MiB', () => {
  onPlatform()
  const size = (isLongForm ? 96 : 32) * mib
  const image = randomBytes(size)
  // Buffers that are dead but not yet collected count too, and those of the tests before this one
  // in the same process; the image is moved eight times.
  const growthMax = isLongForm ? 3 * size : 5 * size
  before(() => upload('image', image))

  it('is taken in and sent out in constant memory', async () => {
    await writeFile(file('image'), image)
    const { peak } = await peakMemory(async () => {
      const as = ['-H', `Authorization: Automation ${millrace.token}`]
      await curl('-T', file('image'), ...as, '-o', file('answer'), `${managed}/image`)
      for (let times = 0; times < 7; times += 1) {
        assert.equal(await download('?id=image', 'image-back'), `200 ${size}`)
      }
    })
    assert.equal((await stat(file('image-back'))).size, size)
    assert.equal(sha256(await readFile(file('image-back'))), sha256(image))
    assert.ok(peak < growthMax, `grew by ${Math.round(peak / mib)} MiB`)
  })

  it('waits in the database for devices that do not read', async (t) => {
    const sockets = Array.from({ length: 8 }, () => slowReader(millrace, device, 'image'))
    t.after(() => {
      for (const { socket } of sockets) socket.destroy()
    })
    const { peak } = await peakMemory(async () => {
      await Promise.all(sockets.map(({ begun }) => begun))
      // While one that reads gets all of it, the others get what fits into their sockets.
      assert.equal(await download('?id=image', 'image-back'), `200 ${size}`)
    })
    assert.ok(peak < growthMax, `grew by ${Math.round(peak / mib)} MiB`)
  })

  it('goes on to a device that began before another one took its place', async () => {
    const reader = slowReader(millrace, device, 'image')
    await reader.begun
    await upload('image', Buffer.from('the new one'))
    assert.equal((await ask('?id=image')).body, 'the new one')
    const old = await reader.rest()
    assert.equal(old.length, size)
    assert.equal(sha256(old), sha256(image))
  })
})

/** Measures the growth of the process's memory while it did something, in bytes. */
async function peakMemory(work: () => Promise<void>): Promise<{ peak: number }> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before)
  }, 5)
  await work().finally(() => clearInterval(timer))
  return { peak }
}

/** A device that asks for a content and reads only its beginning, until `rest` is called. */
function slowReader(millrace: TestPlatform, device: TestDevice, id: string) {
  const { hostname, port } = new URL(millrace.httpUrl)
  const socket: Socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.write(
    `GET /provision/download?id=${id} HTTP/1.1\r\nHost: x\r\nX-vendor-CIK: ${device.token}\r\n` +
      'Connection: close\r\n\r\n',
  )
  const begun = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (chunk) => {
      socket.pause()
      chunks.push(chunk)
      resolve()
    })
  })
  return {
    socket,
    begun,
    rest(): Promise<Buffer> {
      return new Promise((resolve, reject) => {
        socket.on('data', (chunk) => chunks.push(chunk))
        socket.on('error', reject)
        socket.on('close', () => {
          const all = Buffer.concat(chunks)
          resolve(all.subarray(all.indexOf('\r\n\r\n') + 4))
        })
        socket.resume()
      })
    },
  }
}
