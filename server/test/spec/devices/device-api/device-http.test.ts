import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { sharedBySuites, suiteContext } from '../../../fixtures/suite.ts'
import { activate, newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'

let millrace: TestPlatform
let url: string
let host: string
let device: TestDevice
const onPlatform = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
  url = millrace.httpUrl
  host = `${millrace.connector.id}.localhost`
  device = await newDevice(url, millrace.connector.id, 'rows')
})

describe('device API over HTTP: write, read and record, each row of the table', () => {
  onPlatform()

  it('write: POST alias with a form body is 204, empty', async () => {
    const answer = await device.write('a=1&b=2')
    assert.equal(answer.status, 204)
    assert.equal(answer.body, '')
  })

  it('write: an unknown credential is 401', async () => {
    const headers = { 'X-vendor-CIK': '0'.repeat(40) }
    const answer = await send(url, 'POST', '/vendor:v1/stack/alias', headers, 'a=1')
    assert.equal(answer.status, 401)
    assert.equal(answer.body, 'unknown_credential')
  })

  it('write: no credential is 401', async () => {
    assert.equal((await send(url, 'POST', '/vendor:v1/stack/alias', {}, 'a=1')).status, 401)
  })

  it('read: 200 with the values, percent-encoded, as last typed', async () => {
    await device.write('a=0&b=x%20y%26z')
    const answer = await device.read('a&b')
    assert.equal(answer.status, 200)
    assert.equal(answer.body, 'a=0&b=x%20y%26z')
  })

  it('read: 204 when none of the aliases is known or has a value', async () => {
    assert.equal((await device.read('nobody')).status, 204)
    assert.equal((await device.read('temperature')).status, 204)
  })

  it('read: an unknown alias among known ones is no error', async () => {
    await device.write('a=7')
    assert.equal((await device.read('nobody&a')).body, 'a=7')
  })

  it('hybrid: all writes happen, then all reads', async () => {
    const answer = await device.write('a=new', '?a&b')
    assert.equal(answer.status, 200)
    assert.match(answer.body, /^a=new/)
    assert.equal((await device.write('a=again', '?temperature')).status, 204)
  })

  it('record: 204, and the newest point is the current value', async () => {
    const answer = await device.record(
      'alias=a&1700000000=old&1700000002=newer&alias=b&1700000000=1',
    )
    assert.equal(answer.status, 204)
    const fresh = await newDevice(url, millrace.connector.id, 'recorder')
    await fresh.record('alias=a&1700000002=newer&1700000000=old')
    assert.equal((await fresh.read('a')).body, 'a=newer')
  })

  it('record: 409 with the stamps of one alias that are less than a second apart', async () => {
    const answer = await device.record('alias=a&1700000000=1&1700000000=2&alias=b&1700000000=1')
    assert.equal(answer.status, 409)
    assert.equal(answer.body, 'a=1700000000,1700000000')
    assert.equal((await device.record('alias=a&1700000000=1&1700000001=2')).status, 204)
  })

  it('an unknown alias: 204, in the log, not stored', async () => {
    assert.equal((await device.write('nobody=1')).status, 204)
    assert.equal((await device.read('nobody')).status, 204)
    const rows = await millrace.platform.database.rows<{ body: string }>(
      `select body from eventlog_entry where body like '%"unknown":["nobody"]%'`,
    )
    assert.equal(rows.length, 1)
  })

  it('a value that breaks format or allowed is refused, with the whole body', async () => {
    await device.write('a=before&level=9')
    const answer = await device.write('a=after&level=12')
    assert.equal(answer.status, 400)
    assert.equal(answer.body, 'value_refused')
    assert.equal((await device.read('a&level')).body, 'a=before&level=9')
  })
})

describe('device API over HTTP: long poll, each row of the table', () => {
  onPlatform()

  it('long poll: 200 with Last-Modified as soon as a newer value exists', async () => {
    const polled = device.read('a', { 'Request-Timeout': '15000' })
    const written = await writeUntil(polled, device, 'a=polled')
    const answer = await polled
    assert.ok(written >= 1)
    assert.equal(answer.status, 200)
    assert.equal(answer.body, 'a=polled')
    assert.ok(
      answer.headers.some((line) => lastModified.test(line)),
      answer.text,
    )
  })

  it('long poll: at once when a value newer than If-Modified-Since is there', async () => {
    await device.write('a=there')
    for (const since of ['0', '1', 'Thu, 01 Jan 1970 00:00:01 GMT']) {
      const headers = { 'Request-Timeout': '15000', 'If-Modified-Since': since }
      assert.equal((await device.read('a', headers)).body, 'a=there')
    }
  })

  it('long poll: 304 when the time is up', async () => {
    for (const time of ['20', '20.0', '20.', '0.999999']) {
      assert.equal((await device.read('a', { 'Request-Timeout': time })).status, 304, time)
    }
    for (const time of ['', 'soon', '-1', '.5', '1e3', '20.0.0']) {
      assert.equal((await device.read('a', { 'Request-Timeout': time })).status, 400, time)
    }
  })

  it('long poll: adding one second to Last-Modified does not bring the same value', async () => {
    await device.write('a=once')
    const since = { 'Request-Timeout': '15000', 'If-Modified-Since': '0' }
    const first = await device.read('a', since)
    const line = first.headers.find((header) => header.startsWith('Last-Modified: ')) ?? ''
    const next = new Date(Date.parse(line.slice('Last-Modified: '.length)) + 1_000).toUTCString()
    const again = { 'Request-Timeout': '20', 'If-Modified-Since': next }
    assert.equal((await device.read('a', again)).status, 304)
  })

  it('long poll: 404 when the one alias asked for is not defined', async () => {
    assert.equal((await device.read('nobody', { 'Request-Timeout': '100' })).status, 404)
  })
})

describe('device API over HTTP: activate, time and address, each row of the table', () => {
  onPlatform()

  it('activate: 200 text/plain, the body is the token and nothing else', async () => {
    const answer = await activate(url, host, 'fresh-1')
    assert.equal(answer.status, 200)
    assert.match(answer.body, /^[0-9a-f]{40}$/)
    assert.ok(answer.headers.includes('Content-Type: text/plain; charset=utf-8'))
  })

  it('activate: the older form vendor=, model=, sn= names connector and identity', async () => {
    const id = millrace.connector.id
    const body = `vendor=${id}&model=${id}&sn=older-1`
    const answer = await send(url, 'POST', '/provision/activate', {}, body)
    assert.equal(answer.status, 200)
  })

  it('activate: 404 identity or connector unknown', async () => {
    assert.equal((await activate(url, 'nobody.localhost', 'x')).status, 404)
    const closed = await millrace.platform.provisioning.connectors.create(millrace.businessId, {
      name: 'closed',
      devmode: true,
    })
    const answer = await activate(url, `${closed.id}.localhost`, 'unknown')
    assert.equal(answer.status, 404)
    assert.equal(answer.body, 'unknown_identity')
  })

  it('activate: 409 already activated', async () => {
    await activate(url, host, 'twice')
    assert.equal((await activate(url, host, 'twice')).status, 409)
  })

  it('time: GET /timestamp without a credential is unix seconds as text/plain', async () => {
    const answer = await send(url, 'GET', '/timestamp', {})
    assert.equal(answer.status, 200)
    assert.ok(Math.abs(Number(answer.body) - Date.now() / 1_000) < 60, answer.body)
    assert.ok(answer.headers.includes('Content-Type: text/plain; charset=utf-8'))
  })

  it("address: GET /ip without a credential is the caller's address", async () => {
    assert.equal((await send(url, 'GET', '/ip', {})).body, '127.0.0.1')
  })
})

describe('bad requests of devices', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  let device: TestDevice
  before(async () => {
    millrace = await testPlatform(suite)
    device = await newDevice(millrace.httpUrl, millrace.connector.id, 'bad')
  })

  it('a body larger than the limit is 413', async () => {
    const answer = await device.write(`a=${'x'.repeat(limits.deviceBodyBytesMax)}`)
    assert.equal(answer.status, 413)
  })

  it('a NUL inside the body is 400, and the device goes on', async () => {
    assert.equal((await device.write('a=x\0y&b=1')).status, 400)
    assert.equal((await device.write('a=x')).status, 204)
  })

  it('a path that is no call is 404, a method that it has not is 405 with Allow', async () => {
    const url = millrace.httpUrl
    const host = { Host: `${millrace.connector.id}.localhost` }
    assert.equal((await send(url, 'GET', '/nothing', host)).status, 404)
    const answer = await send(url, 'DELETE', '/vendor:v1/stack/alias', host)
    assert.equal(answer.status, 405)
    assert.ok(answer.headers.includes('Allow: GET, HEAD, POST'))
  })

  it('HEAD is a GET without its body, on each path that has one', async () => {
    await device.write('a=head')
    const headers = { 'X-vendor-CIK': device.token }
    for (const path of ['/vendor:v1/stack/alias?a', '/provision/download', '/timestamp', '/ip']) {
      const whole = await send(millrace.httpUrl, 'GET', path, headers)
      const head = await fetch(millrace.httpUrl + path, { headers, method: 'HEAD' })
      assert.equal(head.status, whole.status, path)
      assert.equal(head.headers.get('content-length'), String(whole.body.length), path)
      assert.equal(await head.text(), '')
    }
    const refused = await fetch(`${millrace.httpUrl}/provision/activate`, { method: 'HEAD' })
    assert.equal(refused.headers.get('allow'), 'POST')
  })

  it('an activation without an identity is 400', async () => {
    const host = { Host: `${millrace.connector.id}.localhost` }
    for (const body of ['', 'id=', 'nonsense', '&&&=']) {
      const answer = await send(millrace.httpUrl, 'POST', '/provision/activate', host, body)
      assert.equal(answer.status, 400, body)
    }
  })

  it('names of prototypes are aliases like others', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal((await device.write(`${name}=1`)).status, 204)
      assert.equal((await device.read(name)).status, 204)
    }
  })

  it('a record with a stamp that is none, or before any alias, is 400', async () => {
    assert.equal((await device.record('1700000000=1')).status, 400)
    assert.equal((await device.record('alias=a&yesterday=1')).status, 400)
  })
})

const lastModified =
  /^Last-Modified: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/** Writes until the poll has its answer: the poll may not have begun with the first write. */
async function writeUntil(polled: Promise<unknown>, device: TestDevice, body: string) {
  let over = false
  const mark = () => {
    over = true
  }
  polled.then(mark, mark)
  let writes = 0
  while (!over && writes < 200) {
    await device.write(body)
    writes += 1
  }
  return writes
}
