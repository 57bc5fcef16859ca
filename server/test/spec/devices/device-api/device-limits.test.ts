import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { before, describe, it } from 'node:test'
import { deviceApiLimits } from '../../../../src/devices/device-api/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { newDevice, send, type TestDevice } from '../../../fixtures/wire/device.ts'
import { rawClient } from '../../../fixtures/wire/raw.ts'

describe('what a request of a device may bring', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  let host: string
  let device: TestDevice
  before(async () => {
    millrace = await testPlatform(suite)
    host = `${millrace.connector.id}.localhost`
    device = await newDevice(millrace.httpUrl, millrace.connector.id, 'limited')
  })

  /** An activation's head, with so many bytes announced and only these sent. */
  async function announce(bytes: number, sent: string) {
    const client = rawClient(millrace.httpUrl)
    try {
      const head = `POST /provision/activate HTTP/1.1\r\nHost: ${host}\r\n`
      return await client.ask(`${head}Content-Length: ${bytes}\r\n\r\n${sent}`)
    } finally {
      client.close()
    }
  }

  it('an activation that announces too long a body is refused before it is sent', async () => {
    const answer = await announce(deviceApiLimits.activationBodyBytesMax + 1, '')
    assert.equal(answer.status, 413)
    assert.equal(answer.body, 'too_large')
  })

  it('the longest activation is read to its end', async () => {
    const fill = (start: string) => start.padEnd(deviceApiLimits.activationBodyBytesMax, 'x')
    const answer = await announce(
      deviceApiLimits.activationBodyBytesMax,
      fill('id=long-body&unused='),
    )
    assert.equal(answer.status, 200)
  })

  it('an activation in chunks is refused as soon as it has grown too long', async () => {
    const { hostname, port } = new URL(millrace.httpUrl)
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    const piece = 'a'.repeat(1024)
    let received = ''
    const answered = new Promise<void>((resolve, reject) => {
      socket.on('data', (text: string) => {
        received += text
        if (received.includes('too_large')) resolve()
      })
      socket.on('close', () => reject(new Error(`closed after ${received}`)))
    })
    socket.write(`POST /provision/activate HTTP/1.1\r\nHost: ${host}\r\n`)
    socket.write('Transfer-Encoding: chunked\r\n\r\n')
    // The last chunk, which ends the body, is never sent.
    for (let at = 0; at <= deviceApiLimits.activationBodyBytesMax; at += piece.length) {
      socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
    }
    await answered
    assert.match(received, /^HTTP\/1\.1 413 /)
    socket.removeAllListeners('close').destroy()
  })

  it('an activation has a few fields', async () => {
    const fields = (count: number) => `id=few${'&a'.repeat(count - 1)}`
    const ask = (body: string) =>
      send(millrace.httpUrl, 'POST', '/provision/activate', { Host: host }, body)
    assert.equal((await ask(fields(limits.formFieldsMax + 1))).status, 413)
    assert.equal((await ask(fields(limits.formFieldsMax))).status, 200)
  })

  it('a write has as many aliases as it may, empty pairs among them', async () => {
    const most = deviceApiLimits.aliasesPerRequestMax
    assert.equal((await device.write('a=1&'.repeat(most))).status, 204)
    assert.equal((await device.write('a=1&'.repeat(most + 1))).status, 413)
    assert.equal((await device.write(`${'&'.repeat(most)}a=1`)).status, 204)
    assert.equal((await device.write(`${'&'.repeat(most + 1)}a=1`)).status, 413)
  })

  it('a read names as many aliases as it may, repeated ones among them', async () => {
    await device.write('a=1')
    const most = deviceApiLimits.aliasesPerRequestMax
    assert.equal((await device.read('a&'.repeat(most))).body, 'a=1')
    assert.equal((await device.read('a&'.repeat(most + 1))).status, 413)
    assert.equal((await device.read(`${'&'.repeat(2 * most)}a`)).status, 413)
  })

  it('line ends in the middle of the largest body cost no more than its bytes', async () => {
    const ends = '\r\n'.repeat(limits.resourceValueBytesMax / 2 - 1)
    assert.equal((await device.write(`a=${ends}x`)).status, 204)
    assert.equal((await device.write(`a=1${ends}`)).status, 204)
    assert.equal((await device.read('a')).body, 'a=1')
  })

  it('a time that is longer than any is none', async () => {
    const answer = await device.read('a', {
      'Request-Timeout': '10',
      'If-Modified-Since': `0.${'0'.repeat(limits.shortHeaderCharsMax)}`,
    })
    assert.equal(answer.status, 400)
  })
})
