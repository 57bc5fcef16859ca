import { deepEqual, equal, match } from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { defineFunction, defineModule, type ServeOptions, serve } from '../src/index.ts'
import { call, sample, served } from './support/client.ts'
import { sampleModule } from './support/sample-module.ts'

type Failure = {
  readonly when: string
  readonly ask: readonly [method: 'get' | 'post', path: string, body?: unknown]
  readonly status: number
  readonly name: string
  readonly message: RegExp
  readonly options?: ServeOptions
}

const small = { limits: { bodyBytesMax: 200 } }
const failures: readonly Failure[] = [
  {
    when: 'the body is not JSON',
    ask: ['post', '/insights', '{"group_id":'],
    status: 400,
    name: 'InvalidRequest',
    message: /not JSON/,
  },
  {
    when: 'the body is not an object',
    ask: ['post', '/process', []],
    status: 400,
    name: 'InvalidRequest',
    message: /an array, not an object/,
  },
  {
    when: 'a limit is negative',
    ask: ['post', '/insights', { group_id: '', limit: -1 }],
    status: 400,
    name: 'InvalidRequest',
    message: /limit is -1/,
  },
  {
    when: 'a signal has no value',
    ask: ['post', '/process', call('scale', [{ ...sample, value: undefined }])],
    status: 400,
    name: 'InvalidRequest',
    message: /data 0: value is missing/,
  },
  {
    when: 'a constant breaks its declaration',
    ask: ['post', '/process', call('scale', [], { factor: 11 })],
    status: 400,
    name: 'InvalidRequest',
    message: /"factor": 11 is above 10/,
  },
  {
    when: 'the path is badly encoded',
    ask: ['get', '/insight/%zz'],
    status: 400,
    name: 'InvalidRequest',
    message: /percent-encoded/,
  },
  {
    when: 'the function of an insight is not known',
    ask: ['get', '/insight/nothing'],
    status: 404,
    name: 'NotFound',
    message: /no function "nothing"/,
  },
  {
    when: 'the function of a call is not known',
    ask: ['post', '/process', call('constructor', [])],
    status: 404,
    name: 'NotFound',
    message: /no function "constructor"/,
  },
  {
    when: 'the path is not known',
    ask: ['get', '/infos'],
    status: 404,
    name: 'NotFound',
    message: /nothing at this path/,
  },
  {
    when: 'the method is another',
    ask: ['get', '/process'],
    status: 405,
    name: 'MethodNotAllowed',
    message: /POST only/,
  },
  {
    when: 'the body is larger than the limit',
    ask: ['post', '/process', { pad: 'x'.repeat(200) }],
    status: 413,
    name: 'TooLarge',
    message: /larger than 200 bytes/,
    options: small,
  },
  {
    when: 'the function throws',
    ask: ['post', '/process', call('broken', [])],
    status: 500,
    name: 'InternalError',
    message: /^The module failed\.$/,
  },
  {
    when: 'the function never ends',
    ask: ['post', '/process', call('endless', [])],
    status: 504,
    name: 'Timeout',
    message: /within 1 ms/,
    options: { limits: { processMsMax: 1 } },
  },
]

for (const { when, ask, status, name, message, options } of failures) {
  test(`ErrorResponse: ${status} ${name} when ${when}`, async (t) => {
    const client = await served(t, sampleModule(), options)
    const [method, path, body] = ask
    const answer = await (method === 'get' ? client.get(path) : client.post(path, body))
    deepEqual([answer.status, answer.json.status, answer.json.name], [status, status, name])
    match(answer.json.message, message)
    deepEqual(Object.keys(answer.json), ['message', 'status', 'name'])
  })
}

test('an error that a function throws goes to onTrouble, not to the caller', async (t) => {
  const { post, troubles } = await served(t, sampleModule())
  const { text } = await post('/process', call('broken', []))
  equal(text.includes('secret detail') || text.includes(' at '), false)
  match(String(troubles), /secret detail/)
})

test('a 405 names the method that the path answers', async (t) => {
  const { get } = await served(t, sampleModule())
  equal((await get('/lifecycle')).headers.get('allow'), 'POST')
})

test('a body of exactly the limit is read', async (t) => {
  const { post } = await served(t, sampleModule(), small)
  const empty = JSON.stringify({ group_id: '' }).length
  const group = (bytes: number) => ({ group_id: 'x'.repeat(bytes - empty) })
  equal((await post('/insights', group(200))).status, 200)
  equal((await post('/insights', group(201))).status, 413)
})

test('a body without a length is cut off at the limit too', async (t) => {
  const { url } = await served(t, sampleModule(), small)
  const body = new Blob(['x'.repeat(201)]).stream()
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  equal((await fetch(`${url}/process`, init)).status, 413)
})

test('listing without a group is refused where a group is required', async (t) => {
  const only = defineFunction({ id: 'f', name: 'F', description: '', process: () => undefined })
  const module = defineModule({
    name: 'M',
    description: '',
    group_id_required: true,
    functions: [only],
  })
  const { post } = await served(t, module)
  equal((await post('/insights', { group_id: '' })).status, 400)
  equal((await post('/insights', { group_id: 'g' })).json.count, 1)
})

test('serve rejects where the address cannot be listened on', async (t) => {
  const { url } = await served(t, sampleModule())
  const port = Number(new URL(url).port)
  const second = await serve(sampleModule(), { port }).catch((thrown) => thrown.code)
  equal(second, 'EADDRINUSE')
})

test('close ends the calls that never end, and the port is free', async () => {
  const limits = { closeMsMax: 1, processMsMax: 60_000 }
  const { url, close } = await serve(sampleModule(), { limits })
  const hanging = fetch(`${url}/process`, {
    method: 'POST',
    body: JSON.stringify(call('endless', [])),
  }).catch(() => 'cut off')
  await (await fetch(`${url}/info`)).text()
  await close()
  equal(await hanging, 'cut off')
  await (await serve(sampleModule(), { port: Number(new URL(url).port) })).close()
})

test('a request that came whole is answered, whatever stands behind it', async (t) => {
  const { url } = await served(t, sampleModule())
  const { hostname, port } = new URL(url)
  for (const [tail, isEnding] of [
    ['', true],
    ['x', false],
  ] as const) {
    const body = JSON.stringify(call('scale', [sample]))
    const head = ['POST /process HTTP/1.1', 'Host: x', 'Content-Type: application/json']
    const bytes = [...head, `Content-Length: ${body.length}`, '', body].join('\r\n') + tail
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    t.after(() => socket.destroy())
    socket.on('end', () => socket.end())
    if (isEnding) socket.end(bytes)
    else socket.write(bytes)
    const statuses = (await text(socket)).match(/(?<=HTTP\/1\.1 )\d+/g)
    deepEqual(statuses, isEnding ? ['200'] : ['200', '400'])
  }
})
