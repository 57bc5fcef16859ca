import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { httpClientLimits } from '../../../../src/scripts/services/http/index.ts'
import { type HttpPeer, httpPeer } from '../../../fixtures/http-client.ts'
import { type TestService, testService } from '../../../fixtures/peers/http-service.ts'
import { sharedBySuites, suiteContext } from '../../../fixtures/suite.ts'

type Fields = { readonly [key: string]: ScriptValue }
const secret = 's3cr3t&"\\ü'

const log: string[] = []
let service: TestService
let echo: HttpPeer

const onPeer = sharedBySuites(async (suite) => {
  service = await testService(suite, {
    allow: ['127.0.0.1:*'],
    log: (line) => log.push(JSON.stringify(line)),
  })
  echo = await httpPeer(suite)
})

async function sent(args: Fields, operation = 'post') {
  const credentials = JSON.stringify({ key: secret, 'other.one': 'o' })
  const given = await service.call(operation, { url: echo.url, credentials, ...args })
  assert.equal((given as { status_code?: number })?.status_code, 200, JSON.stringify(given))
  return echo.last()
}

describe('credentials of the HTTP client', () => {
  onPeer()

  test('in headers they stand where their names were', async () => {
    const { headers } = await sent({ headers: { authorization: 'Bearer {{key}} {{ other.one }}' } })
    const written = Buffer.from(headers.authorization ?? '', 'latin1').toString()
    assert.equal(written, `Bearer ${secret} o`)
  })

  test('in the URL, percent-encoded, in path and query', async () => {
    const { url } = await sent({ url: `${echo.url}{{key}}/x?a={{key}}` })
    const encoded = encodeURIComponent(secret)
    assert.equal(url, `/${encoded}/x?a=${encoded}`)
    assert.equal((await sent({ params: { a: '{{key}}' } }, 'get')).url, `/?a=${encoded}`)
  })

  test('in the body: raw, JSON, form, and bytes that are not text', async () => {
    assert.equal((await sent({ body: 'a {{key}} b' })).body.toString(), `a ${secret} b`)
    const json = await sent({ json: { a: ['{{key}}'] } })
    assert.deepEqual(JSON.parse(json.body.toString()), { a: [secret] })
    const form = await sent({ params: { a: '{{key}}' } })
    assert.equal(form.body.toString(), `a=${encodeURIComponent(secret)}`)
    const around = Buffer.from([255, 0])
    const bytes = Buffer.concat([around, Buffer.from('{{key}}'), around])
    const raw = await sent({ body: new Uint8Array(bytes) })
    assert.deepEqual(raw.body, Buffer.concat([around, Buffer.from(secret), around]))
  })

  test('a name that is not known stays, and what stands in a secret is not looked at', async () => {
    const credentials = 'a={{b}}\nb=2'
    const { body } = await sent({ body: '{{a}} {{b}} {{c}} {{ }} {b}', credentials })
    assert.equal(body.toString(), '{{b}} 2 {{c}} {{ }} {b}')
    assert.equal((await sent({ body: '{{key}}', credentials: '' })).body.toString(), '{{key}}')
  })

  test('they are a JSON object of strings, or lines of name=value', async () => {
    for (const credentials of ['a=1\nb = 2=3 \r\n\n', '{"a": "1", "b": "2=3"}']) {
      assert.equal((await sent({ body: '{{a}} {{b}}', credentials })).body.toString(), '1 2=3')
    }
    const bad = [
      'no pair',
      '=1',
      '1a=1',
      'a b=1',
      'a=1\na=2',
      '{"a": 1}',
      '{"a": ',
      '{"a":"\\u0000"}',
      '{"a":{"value":1}}',
      '{"a":{"value":"1","host":["x"]}}',
      ...['"x"', '[]', '[1e9]', '["x/y"]', '["u@x"]', '["*.x"]', '[" "]'].map(
        (hosts) => `{"a":{"value":"1","hosts":${hosts}}}`,
      ),
    ]
    const long = `a=${'b'.repeat(limits.httpCredentialsCharsMax - 2)}`
    for (const credentials of [...bad, `${long}b`, 5, {}, ['a=1']]) {
      assert.equal(await service.call('get', { url: echo.url, credentials }), undefined)
    }
    assert.equal((await sent({ body: '{{a}}', credentials: long })).body.length, long.length - 2)
  })
})

describe('secrets in credentials of the HTTP client', () => {
  onPeer()

  test('a secret cannot begin another header', async () => {
    const headers = { 'x-a': '{{key}}' }
    for (const key of ['a\r\nx-evil: 1', 'a\nb', 'a\rb']) {
      const args = { url: echo.url, headers, credentials: JSON.stringify({ key }) }
      assert.equal(await service.call('get', args), undefined)
    }
  })

  test('a secret cannot change the host', async () => {
    const credentials = JSON.stringify({ h: '127.0.0.1', at: '@127.0.0.1' })
    const count = echo.requests.length
    for (const url of ['http://{{h}}/', 'http://x.invalid{{at}}/', 'http:{{at}}', '{{h}}']) {
      const given = await service.call('get', { url, credentials })
      assert.ok(given === undefined || (given as { status: number }).status === 502)
      assert.ok(!JSON.stringify(given ?? '').includes('127.0.0.1'))
    }
    assert.equal(echo.requests.length, count)
  })

  test('many short names cannot grow into a body that fills the memory', async () => {
    const credentials = `a=${'b'.repeat(limits.httpCredentialsCharsMax - 2)}`
    const times = Math.ceil(
      httpClientLimits.httpBodyBytesMax / (limits.httpCredentialsCharsMax - 2),
    )
    const fits = await sent({ body: '{{a}}'.repeat(times - 1), credentials })
    assert.equal(fits.body.length, (times - 1) * (limits.httpCredentialsCharsMax - 2))
    for (const args of [
      { body: '{{a}}'.repeat(times) },
      { body: '{{a}}'.repeat(100_000) },
      { json: Array.from({ length: times }, () => '{{a}}') },
      { params: { a: '{{a}}'.repeat(times) } },
    ]) {
      assert.equal(await service.call('post', { url: echo.url, credentials, ...args }), undefined)
    }
  })

  test('no failure contains a secret, and no log', async (t) => {
    const credentials = JSON.stringify({ key: 's3cr3t' })
    const args = { headers: { 'x-a': '{{key}}' }, body: '{{key}}', credentials }
    const gone = await httpPeer(t)
    gone.server.close()
    const urls = [gone.url, 'http://10.0.0.1/', 'http://x.invalid/']
    for (const url of urls) {
      const given = await service.call('post', { ...args, url: `${url}{{key}}?{{key}}` })
      assert.match(JSON.stringify(given), /"status":502/)
      assert.ok(!JSON.stringify(given).includes('s3cr3t'), JSON.stringify(given))
    }
    const named = 'http://u:{{key}}@10.0.0.1/{{key}}'
    assert.equal(await service.call('post', { ...args, url: named }), undefined)
    assert.ok(log.length > 0)
    assert.ok(!log.join().includes('s3cr3t'))
    const lines = (await service.lines()).map(({ text }) => text)
    assert.ok(
      lines.some((text) => text.includes('url holds a user name')),
      lines.join(),
    )
    assert.ok(!lines.join().includes('s3cr3t'))
  })
})

describe('the configuration of the HTTP client', () => {
  const suite = suiteContext()
  let service: TestService
  let echo: HttpPeer

  before(async () => {
    service = await testService(suite)
    echo = await httpPeer(suite)
  })

  async function body(args: Fields = {}): Promise<string> {
    await service.call('post', { url: echo.url, body: '{{a}} {{b}}', ...args })
    return echo.last().body.toString()
  }

  test('its credentials hold where the call gives none; a call has its own instead', async () => {
    await service.configure({ credentials: 'a=1' })
    assert.equal(await body(), '1 {{b}}')
    assert.equal(await body({ credentials: 'b=2' }), '{{a}} 2')
    assert.equal(await body({ credentials: '' }), '{{a}} {{b}}')
  })

  test('it is stored sealed, and only names are given back', async () => {
    const stored = await service.configure({ credentials: 'a=s3cr3t' })
    assert.deepEqual(stored.parameters, { credentialNames: ['a'] })
    assert.ok(!JSON.stringify(stored).includes('s3cr3t'))
    assert.match(String(stored.hidden.credentials), /^m1\./)
  })

  test('what is left out stays, what is shown may come back, null and "" take away', async () => {
    const { parameters } = await service.configure({ credentials: 'a=1' })
    await service.configure({ ...parameters })
    assert.equal(await body(), '1 {{b}}')
    for (const credentials of [null, '', '\n', '{}']) {
      await service.configure({ credentials: 'a=1' })
      const stored = await service.configure({ credentials })
      assert.deepEqual([stored.parameters, stored.hidden], [{}, {}])
    }
    assert.equal(await body(), '{{a}} {{b}}')
  })

  test('a credential with hosts is sent to these alone, and the log names them', async () => {
    const other = 'API.example.com:443'
    const give = (hosts: readonly string[]) =>
      service.configure({ credentials: JSON.stringify({ a: { value: '1', hosts }, b: '2' }) })
    const { parameters } = await give([other])
    const credentialHosts = { a: ['api.example.com'] }
    assert.deepEqual(parameters, { credentialNames: ['a', 'b'], credentialHosts })
    const count = echo.requests.length
    for (const args of [
      { url: echo.url, body: '{{a}}' },
      { url: `${echo.url}{{a}}` },
      { url: echo.url, headers: { 'x-a': '{{a}}' } },
      { url: 'http://api.example.com/', body: '{{a}}' },
    ]) {
      assert.equal(await service.call('post', args), undefined)
    }
    assert.equal(echo.requests.length, count)
    const lines = (await service.lines()).map(({ text }) => text)
    const sentence = 'credentials has a for api.example.com, and not for 127.0.0.1'
    assert.ok(lines.some((line) => line.includes(sentence)))
    assert.equal(await body({ body: '{{b}}' }), '2')
    await service.configure({ ...parameters, sslOptions: null })
    assert.equal(await service.call('post', { url: echo.url, body: '{{a}}' }), undefined)
    await give([other, echo.host])
    assert.equal(await body(), '1 2')
  })

  test('a sealed text of another solution does not open', async () => {
    const configuration = await service.configure({ credentials: 'a=1' })
    const stolen = { ...configuration, solutionId: 'other' }
    const given = await service.call('get', { url: echo.url }, { configuration: stolen })
    assert.equal((given as { status: number }).status, 500)
  })

  test('what is not valid is refused with the sentence of what is wrong', async () => {
    for (const [wrong, sentence] of [
      [{ credentials: 5 }, /credentials must be a string/],
      [{ credentials: 'no pair' }, /name=value/],
      [{ sslOptions: 'x' }, /sslOptions must be an object/],
      [{ sslOptions: { key: 'x' } }, /key without cert/],
      [{ sslOptions: { key: 'x', cert: 'y' } }, /not PEM/],
      [{ sslOptions: { cacerts: 'x' } }, /without a PEM certificate/],
      [{ credential: 'a=1' }, /no setting "credential"/],
      [{ parameters: { credential: 'a=1' } }, /no setting "credential"/],
      [{ parameters: 'a=1' }, /parameters must be an object/],
    ] as const) {
      await assert.rejects(service.configure(wrong), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'invalid_argument')
        assert.match(error.message, sentence)
        return true
      })
    }
  })
})
