import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type EndpointsFixture, endpointsFixture } from '../../../fixtures/endpoints.ts'
import { assertStatus } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'
import { type Ending, receive } from '../../../fixtures/wire/receive.ts'

/** An answer, and whatever came behind it until the server ended the connection. */
type Received = { readonly status: number; readonly body: string; readonly rest: string }

async function exchange(url: string, bytes: string, ending: Ending): Promise<Received> {
  return parse(await receive(url, bytes, ending))
}

function parse(text: string): Received {
  const end = text.indexOf('\r\n\r\n') + 4
  const length = Number(/^content-length: (\d+)\r$/im.exec(text.slice(0, end))?.[1] ?? 0)
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  return { status, body: text.slice(end, end + length), rest: text.slice(end + length) }
}

type Call = { readonly method?: string; readonly path: string; readonly host?: string } & {
  readonly headers?: readonly string[]
  readonly body?: string
}

function formatRequest({
  method = 'POST',
  path,
  host = 'localhost',
  headers = [],
  body = '',
}: Call) {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  return [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, length, '', body].join('\r\n')
}

const lua = `--#ENDPOINT POST /count/{name}
Keystore.command {command = "incr", key = request.parameters.name}
return "counted"
--#ENDPOINT GET /count/{name}
return Keystore.get {key = request.parameters.name}.value
`

let fixture: EndpointsFixture
let device: TestDevice
const shareInstance = sharedBySuites(async (suite) => {
  const config = { metrics: { host: '127.0.0.1', port: 0 } }
  fixture = await endpointsFixture(suite, { own: 'has a metrics listener', config })
  await fixture.serve(lua)
  const { httpUrl, connector } = fixture.millrace
  device = await newDevice(httpUrl, connector.id, 'whole')
})

const json = 'Content-Type: application/json'
const authorization = () => `Authorization: Automation ${fixture.millrace.token}`

async function graphql(query: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: authorization().slice(15) }
  const body = JSON.stringify({ query })
  const url = `${fixture.millrace.httpUrl}/api/graphql`
  return await (await fetch(url, { method: 'POST', headers, body })).text()
}

/** A request that changes something, and how its change is seen; `name` is another each time. */
type Change = {
  readonly what: string
  request(name: string): Call
  readonly status: number
  /** Rejects unless the answer and the state are those of a change that was made, once. */
  check(name: string, answer: Received): Promise<void>
}

const changes: readonly Change[] = [
  {
    what: 'an activation',
    request: (name) => {
      const host = `${fixture.millrace.connector.id}.localhost`
      return { path: '/provision/activate', host, body: `id=${name}` }
    },
    status: 200,
    async check(_, { body }) {
      const { status } = await exchange(
        fixture.millrace.httpUrl,
        formatRequest({
          path: '/vendor:v1/stack/alias',
          headers: [`X-vendor-CIK: ${body}`],
          body: 'a=1',
        }),
        'end',
      )
      assert.equal(status, 204)
    },
  },
  {
    what: 'a write of a device',
    request: (name) => ({
      path: '/vendor:v1/stack/alias',
      headers: [`X-vendor-CIK: ${device.token}`],
      body: `a=${name}`,
    }),
    status: 204,
    async check(name) {
      assert.equal((await device.read('a')).body, `a=${name}`)
    },
  },
  {
    what: 'a record',
    request: (name) => ({
      path: '/vendor:v1/stack/record',
      headers: [`X-vendor-CIK: ${device.token}`],
      body: `alias=b&${Math.floor(fixture.millrace.clock.nowMs() / 1000)}=${name}`,
    }),
    status: 204,
    async check(name) {
      assert.equal((await device.read('b')).body, `b=${name}`)
    },
  },
  {
    what: 'a mutation',
    request: (name) => ({
      path: '/api/graphql',
      headers: [json, authorization()],
      body: JSON.stringify({
        query: `mutation { createAsset(input: {name: "${name}"}) { name } }`,
      }),
    }),
    status: 200,
    async check(name, { body }) {
      assert.match(body, new RegExp(name))
      assert.match(await graphql('{ assets { name } }'), new RegExp(name))
    },
  },
  {
    what: 'a call of the management API',
    request: (name) => ({
      path: '/api:1/solution',
      headers: [json, authorization()],
      body: JSON.stringify({ id: name, name }),
    }),
    status: 201,
    async check(name, { body }) {
      assert.equal(JSON.parse(body).id, name)
      assertStatus(await fixture.ask('GET', `/solution/${name}`), 200)
    },
  },
  {
    what: 'an endpoint of a solution',
    request: (name) => ({ path: `/count/${name}`, host: 'pump.localhost' }),
    status: 200,
    async check(name, { body }) {
      assert.equal(body, 'counted')
      assert.equal((await fixture.get(`/count/${name}`)).text, '1')
    },
  },
]

/** The bytes behind a whole request in the same piece. */
const tails: readonly (readonly [string, string, Ending])[] = [
  ['the end of the client’s side', '', 'end'],
  ['the end without one of TLS', '', 'bare'],
  ['a surplus byte', 'x', 'none'],
  ['a NUL', '\0', 'none'],
  ['an ill-formed request', 'GET / HTTP/1.1\r\nHo st: x\r\n\r\n', 'none'],
]

const urls = () => [fixture.millrace.httpUrl, fixture.millrace.tlsUrl]
const refusal = /^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/

describe('a request that came whole is answered, whatever stands behind it', () => {
  shareInstance()
  let count = 0

  for (const { what, request, status, check } of changes) {
    for (const [behind, tail, ending] of tails) {
      it(`${what}, and ${behind}`, async () => {
        for (const url of urls()) {
          count += 1
          const name = `whole${count}`
          const answer = await exchange(url, formatRequest(request(name)) + tail, ending)
          assert.equal(answer.status, status, `${url} ${answer.body}`)
          await check(name, answer)
          if (tail === '') assert.equal(answer.rest, '')
          else assert.match(answer.rest, refusal)
        }
      })
    }
  }
})

const alias = (call: Partial<Call>) =>
  formatRequest({
    path: '/vendor:v1/stack/alias',
    ...call,
    headers: [...(call.headers ?? []), token()],
  })
const token = () => `X-vendor-CIK: ${device.token}`
const poll = () => {
  const headers = ['Request-Timeout: 60000']
  return alias({ method: 'GET', path: '/vendor:v1/stack/alias?temperature', headers })
}

/** The statuses of answers that stand one behind the other. */
function listStatuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

describe('several requests, answers that take long, and clients that ask for nothing', () => {
  shareInstance()

  it('all requests that came whole are answered in their order', async () => {
    const read = alias({ method: 'GET', path: '/vendor:v1/stack/alias?a' })
    const whole = `${alias({ body: 'a=pipe' })}${read}${alias({ body: 'b=2' })}`
    const half = alias({ body: 'a=lost' }).slice(0, -1)
    const chunk = alias({ headers: ['Transfer-Encoding: chunked'] })
    await device.write('a=1')
    const broken = `${chunk.replace(/Content-Length: 0\r\n/, '')}zz\r\n`
    for (const url of urls()) {
      const answers = async (bytes: string, ending: Ending) =>
        listStatuses(await receive(url, bytes, ending))
      assert.deepEqual(await answers(whole, 'end'), [204, 200, 204])
      assert.deepEqual(await answers(`${whole}x`, 'none'), [204, 200, 204, 400])
      assert.deepEqual(await answers(whole + half, 'end'), [204, 200, 204, 400])
      assert.deepEqual(await answers(whole + broken, 'none'), [204, 200, 204, 400])
    }
    assert.equal((await device.read('a')).body, 'a=pipe')
  })

  it('a connection that is to be closed gets its answer, and no more', async () => {
    const write = alias({ headers: ['Connection: close'], body: 'a=close' })
    for (const url of urls()) {
      assert.deepEqual(listStatuses(await receive(url, write, 'end')), [204])
      assert.deepEqual(listStatuses(await receive(url, `${write}x`, 'none')), [204])
    }
  })

  it('metrics are answered too', async () => {
    const url = fixture.millrace.metricsUrl ?? ''
    const scrape = formatRequest({ method: 'GET', path: '/metrics' })
    assert.deepEqual(listStatuses(await receive(url, scrape, 'end')), [200])
    assert.deepEqual(listStatuses(await receive(url, `${scrape}x`, 'none')), [200, 400])
  })

  it('a download of 3 MB is sent whole', async () => {
    const { connector, httpUrl } = fixture.millrace
    const bytes = Buffer.alloc(3_000_000, 'abc')
    const path = `/api:1/service/${connector.id}/device2/content/firmware`
    const headers = { authorization: authorization().slice(15) }
    const upload = await fetch(httpUrl + path, { method: 'PUT', headers, body: bytes })
    assert.equal(upload.status, 201)
    const download = { method: 'GET', path: '/provision/download?id=firmware', headers: [token()] }
    for (const url of urls()) {
      const answer = await exchange(url, formatRequest(download), 'end')
      assert.equal(answer.body.length, bytes.length)
    }
  })

  it('a long poll is answered, by a value or when its time is up', async () => {
    for (const url of urls()) {
      for (const [tail, ending, statuses] of [
        ['', 'end', [200]],
        ['x', 'none', [200, 400]],
      ] as const) {
        let isOver = false
        const received = receive(url, poll() + tail, ending).finally(() => {
          isOver = true
        })
        for (let value = 0; !isOver; value += 1) await device.write(`temperature=${value}`)
        assert.deepEqual(listStatuses(await received), statuses)
      }
      const short = poll().replace('60000', '10')
      assert.deepEqual(listStatuses(await receive(url, short, 'end')), [304])
    }
  })

  it('a connection without a whole request ends with its client’s side', async () => {
    for (const url of urls()) {
      assert.equal(await receive(url, '', 'end'), '')
      assert.deepEqual(listStatuses(await receive(url, 'GET / HTTP/1.1\r\nHost: x', 'end')), [400])
    }
  })

  it('a stream of events ends with its client’s side', async () => {
    const accept = 'Accept: text/event-stream'
    const log = { method: 'GET', path: '/api:1/solution/pump/logs', headers: [accept] }
    const query = 'subscription { statuses(assetIds: []) { assetId } }'
    const body = JSON.stringify({ query })
    const subscription = { path: '/api/graphql', headers: [accept, json], body }
    for (const call of [log, subscription]) {
      const bytes = formatRequest({ ...call, headers: [...call.headers, authorization()] })
      const received = await receive(fixture.millrace.httpUrl, bytes, 'answered')
      assert.deepEqual(listStatuses(received), [200])
    }
  })
})
