import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { before, describe, it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { applyLimits } from '../../../../src/foundation/kernel/index.ts'
import type { Config } from '../../../../src/platform/config/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { inTime } from '../../../fixtures/wire/sockets.ts'

const run = promisify(execFile)

type Asked = { readonly from?: string; readonly head?: Buffer | string; readonly lines?: string[] }

/**
 * Returns the answer of /ip on a connection that begins with some bytes; empty if it is only ended.
 */
function askIp(url: string, { from = '127.0.0.1', head = '', lines = [] }: Asked): Promise<string> {
  const { port, protocol } = new URL(url)
  const raw = connect({ host: '127.0.0.1', port: Number(port), localAddress: from })
  const { promise, resolve } = Promise.withResolvers<string>()
  raw.on('error', () => resolve(''))
  raw.write(head)
  const socket =
    protocol === 'https:' ? connectTls({ socket: raw, rejectUnauthorized: false }) : raw
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => resolve(''))
  socket.on('close', () => resolve(text.slice(text.indexOf('\r\n\r\n') + 4)))
  const request = ['GET /ip HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines]
  socket.write(`${request.join('\r\n')}\r\n\r\n`)
  return inTime('an answer', promise)
}

function binary(command: number, family: number, body: readonly number[], length = body.length) {
  const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
  return Buffer.concat([
    signature,
    Buffer.from([command, family, length >> 8, length & 255, ...body]),
  ])
}

const usual = { trusted: ['127.0.0.1', '10.0.0.0/8'], headers: 'x-forwarded' } as const

function start(
  suite: Parameters<typeof testPlatform>[0],
  part: Partial<Config['proxies']>,
): Promise<TestPlatform> {
  const proxies = { ...usual, protocolOn: [], certificateHeader: undefined, ...part }
  return testPlatform(suite, { own: 'trusts proxies', config: { proxies } })
}

describe('the headers of trusted proxies', () => {
  const suite = suiteContext()
  let url: string
  before(async () => {
    url = (await start(suite, {})).httpUrl
  })
  const ask = (chain: string, from?: string) =>
    askIp(url, { lines: [`X-Forwarded-For: ${chain}`], ...(from === undefined ? {} : { from }) })

  it('name the client, with or without a port, over IPv4 and IPv6', async () => {
    assert.equal(await ask('203.0.113.7'), '203.0.113.7')
    assert.equal(await ask('203.0.113.7:4711'), '203.0.113.7')
    assert.equal(await ask('2001:db8::7'), '2001:db8::7')
    assert.equal(await ask('[2001:db8::7]:4711'), '2001:db8::7')
    assert.equal(await ask('::ffff:203.0.113.7'), '203.0.113.7')
  })

  it('are read from the right: what stands left of a client is not believed', async () => {
    assert.equal(await ask('198.51.100.1, 203.0.113.7, 10.1.2.3'), '203.0.113.7')
    assert.equal(await ask('10.9.9.9, 10.1.2.3'), '10.9.9.9')
    assert.equal(await ask('198.51.100.1, unknown, 10.1.2.3'), '10.1.2.3')
  })

  it('are ignored from others, and so is the header that is not configured', async () => {
    assert.equal(await ask('203.0.113.7', '127.0.0.2'), '127.0.0.2')
    assert.equal(await askIp(url, { lines: ['Forwarded: for=203.0.113.7'] }), '127.0.0.1')
  })

  it('are of RFC 7239 where the operator has it so, and then no others', async () => {
    const other = await start(suite, { headers: 'forwarded' })
    const said = (value: string) => askIp(other.httpUrl, { lines: [`Forwarded: ${value}`] })
    assert.equal(await said('for="[2001:db8::7]:4711";proto=https;by=10.1.1.1'), '2001:db8::7')
    assert.equal(
      await said('For=198.51.100.1, for=203.0.113.7;proto=http, for=10.1.2.3'),
      '203.0.113.7',
    )
    const lines = ['X-Forwarded-For: 203.0.113.7']
    assert.equal(await askIp(other.httpUrl, { lines }), '127.0.0.1')
  })

  it('say whether the client came over TLS; who says nothing came without', async () => {
    const millrace = await start(suite, {})
    const { provisioning } = millrace.platform
    const strict = {
      name: 'strict',
      selfRegistration: true,
      resources: { a: { format: 'string' } },
    }
    const { id } = await provisioning.connectors.create(millrace.businessId, strict as never)
    const activate = async (proto?: string) => {
      const also = proto === undefined ? [] : ['-H', `X-Forwarded-Proto: ${proto}`]
      const said = ['-H', `Host: ${id}.localhost`, '-H', 'X-Forwarded-For: 203.0.113.7', ...also]
      const sent = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-d', `id=d-${proto}`, ...said]
      const { stdout } = await run('curl', [...sent, `${millrace.httpUrl}/provision/activate`])
      return Number(stdout)
    }
    assert.equal(await activate('https'), 200)
    assert.equal(await activate('http'), 403)
    assert.equal(await activate(), 403)
  })
})

describe('the PROXY protocol', () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  before(async () => {
    applyLimits({ proxyHeaderMsMax: 500 })
    millrace = await start(suite, { protocolOn: ['http', 'device_tls'] })
  })
  const line = 'PROXY TCP4 203.0.113.7 192.0.2.1 4711 443\r\n'

  it('names the client in both versions, before HTTP and before TLS', async () => {
    const v4 = binary(0x21, 0x11, [203, 0, 113, 7, 192, 0, 2, 1, 1, 2, 3, 4, 0x03, 0, 1, 9])
    const six = [0x20, 1, 0x0d, 0xb8, ...Array(11).fill(0), 7]
    const v6 = binary(0x21, 0x21, [...six, ...six, 1, 2, 3, 4])
    for (const url of [millrace.httpUrl, millrace.tlsUrl]) {
      assert.equal(await askIp(url, { head: line }), '203.0.113.7')
      assert.equal(await askIp(url, { head: v4 }), '203.0.113.7')
      assert.equal(await askIp(url, { head: v6 }), '2001:db8::7')
    }
  })

  it('leaves the address as it is where the proxy speaks for itself', async () => {
    assert.equal(await askIp(millrace.httpUrl, { head: binary(0x20, 0, []) }), '127.0.0.1')
    assert.equal(await askIp(millrace.httpUrl, { head: 'PROXY UNKNOWN\r\n' }), '127.0.0.1')
  })

  it('is asked of trusted proxies, and taken from nobody else', async () => {
    assert.equal(await askIp(millrace.httpUrl, {}), '')
    const other = { from: '127.0.0.2' }
    assert.equal(await askIp(millrace.httpUrl, other), '127.0.0.2')
    assert.equal(await askIp(millrace.httpUrl, { ...other, head: line }), '')
  })

  it('is bounded in bytes and in time, and refused where it is malformed', async () => {
    const long = binary(0x21, 0x11, [], 0xffff)
    const bad = [
      ...['PROXY TCP4 203.0.113 1.1.1.1 1 1\r\n', 'PROXY TCP6 203.0.113.7 1.1.1.1 1 1\r\n'],
      ...[`PROXY TCP4 ${'1'.repeat(200)}`, Buffer.concat([long, Buffer.alloc(5000)])],
      ...[binary(0x31, 0x11, []), binary(0x21, 0x11, [1, 2, 3])],
      binary(0x21, 0x11, [203, 0, 113, 7, 192, 0, 2, 1, 1, 2, 3, 4, 0x20, 0, 9, 1]),
    ]
    for (const head of bad) assert.equal(await askIp(millrace.httpUrl, { head }), '', `${head}`)
    const silent = connect(Number(new URL(millrace.httpUrl).port), '127.0.0.1')
    silent.write('PROXY ')
    const { promise, resolve } = Promise.withResolvers<void>()
    silent.on('close', () => resolve()).on('error', () => resolve())
    await inTime('an end', promise)
  })
})

describe('the certificate that a trusted proxy forwards', () => {
  for (const header of ['client-cert', 'x-client-cert'] as const) {
    it(`stands in one ${header}; a request with two is refused`, async (t) => {
      const { httpUrl, caFile } = await start(t, { certificateHeader: header })
      const der = new X509Certificate(readFileSync(caFile)).raw.toString('base64')
      const ask = (...values: string[]) => {
        const lines = values.map((value) => `${header}: ${value}`)
        return askIp(httpUrl, { lines: ['X-Forwarded-For: 203.0.113.7', ...lines] })
      }
      assert.equal(await ask(`:${der}:`), '203.0.113.7')
      for (const two of [
        [`:${der}:`, `:${der}:`],
        [`:${der}:, :${der}:`],
        ['', `:${der}:`],
        [`:${der}:`, 'x'],
      ]) {
        assert.equal(JSON.parse(await ask(...two)).status, 400)
      }
    })
  }
})
