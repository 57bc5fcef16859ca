import { deepEqual, equal, match, throws } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import {
  checkModule,
  defineFunction,
  defineModule,
  fetchHandler,
  type LambdaEvent,
  lambdaHandler,
} from '../src/index.ts'
import { call, sample } from './support/client.ts'
import { sampleModule } from './support/sample-module.ts'

const credentials = { type: 'apiKey', in: 'query', name: 'key', key: 'k 1' } as const
const quiet = { onTrouble: () => undefined }

type Answer = { readonly status: number; readonly body: string }
type Received = { readonly method: string; readonly url: URL; readonly body: string }

/** Serves a handler on a port, as a host does. */
async function hosted(t: TestContext, handle: (received: Received) => Promise<Answer>) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method = '', url = '' } = request
    const answer = await handle({ method, url: new URL(url, 'http://insight.example'), body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const formats: Readonly<Record<string, (received: Received) => LambdaEvent>> = {
  '1.0': ({ method, url, body }) => ({
    httpMethod: method,
    path: url.pathname,
    queryStringParameters: Object.fromEntries(url.searchParams),
    headers: { Host: url.host },
    body: body === '' ? null : body,
    isBase64Encoded: false,
  }),
  '2.0': ({ method, url, body }) => ({
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    requestContext: { http: { method } },
    headers: { host: url.host },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  }),
}

async function failuresAt(url: string): Promise<unknown[]> {
  const { checks } = await checkModule(url)
  return checks.filter(({ ok }) => !ok)
}

test('a module behind a fetch-style host passes every check', async (t) => {
  const handle = fetchHandler(sampleModule(), { basePath: '/sample', ...quiet })
  const url = await hosted(t, async ({ method, url: { href }, body }) => {
    const response = await handle(new Request(href, { method, body: body || null }))
    return { status: response.status, body: await response.text() }
  })
  deepEqual(await failuresAt(`${url}/sample`), [])
})

for (const [format, eventOf] of Object.entries(formats)) {
  test(`a module as a Lambda function passes every check: format ${format}`, async (t) => {
    const handle = lambdaHandler(sampleModule(), quiet)
    const url = await hosted(t, async (received) => {
      const { statusCode: status, body } = await handle(eventOf(received))
      return { status, body }
    })
    deepEqual(await failuresAt(url), [])
  })

  test(`a Lambda function requires its credentials: format ${format}`, async () => {
    const handle = lambdaHandler(sampleModule(), { credentials })
    const statusFor = async (path: string) => {
      const url = new URL(path, 'http://insight.example')
      return (await handle(eventOf({ method: 'GET', url, body: '' }))).statusCode
    }
    deepEqual([await statusFor('/info'), await statusFor('/info?key=k%201')], [401, 200])
  })
}

test('the definition of a handler has the host of its first request', async () => {
  const handle = fetchHandler(sampleModule())
  const answer = await handle(new Request('https://insight.example/interface'))
  match(await answer.text(), /"host":"insight\.example"/)
})

test('a body larger than the limit is refused by each handler', async () => {
  const limits = { bodyBytesMax: 10 }
  const url = new URL('http://insight.example/process')
  const body = JSON.stringify(call('scale', [sample]))
  const request = new Request(url, { method: 'POST', body })
  equal((await fetchHandler(sampleModule(), { limits })(request)).status, 413)
  const event = formats['2.0']?.({ method: 'POST', url, body }) ?? {}
  equal((await lambdaHandler(sampleModule(), { limits })(event)).statusCode, 413)
})

const remembering = defineModule({
  name: 'M',
  description: 'D',
  configuration: [{ name: 'region', description: 'Where', type: 'string', required: true }],
  functions: [
    defineFunction({
      id: 'f',
      name: 'F',
      description: 'does f',
      history: { limit: { value: 2 } },
      inlets: { x: { name: 'X', primitive_type: 'NUMERIC' } },
      outlets: { y: { primitive_type: 'NUMERIC' }, said: { primitive_type: 'STRING' } },
      process({ configuration, earlier, inlet, emit }) {
        const before = earlier('y').map(({ value }): number => value)
        for (const source of inlet('x')) {
          emit(
            'y',
            source,
            before.reduce((sum, value) => sum + value, source.value),
          )
          emit('said', source, String(configuration.region))
        }
      },
    }),
  ],
})

test('values of the configuration and earlier values of an outlet reach process', async () => {
  const handle = fetchHandler(remembering, { configuration: { region: 'eu' } })
  const point = (ts: number, value: number, tags: object) => ({ ts, value, tags })
  const history = {
    s1: [point(3, 100, { inlet: 'x' })],
    s2: [point(2, 20, { outlet: '0' }), point(1, 10, { outlet: 'y' })],
  }
  const body = JSON.stringify(Object.assign(call('f', [sample]), { history }))
  const request = new Request('http://insight.example/process', { method: 'POST', body })
  const outlets = (await (await handle(request)).json()) as { readonly value: unknown }[][]
  deepEqual(
    outlets.map((outlet) => outlet.map(({ value }) => value)),
    [[33], ['eu']],
  )
})

test('a configuration without a required value, or with another, is refused', () => {
  throws(() => fetchHandler(remembering), /region is missing/)
  const configuration = { region: 'eu', other: 1 }
  throws(
    () => fetchHandler(remembering, { configuration }),
    (error: Error) => {
      match(error.message, /other is not declared/)
      return true
    },
  )
})
