import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ScriptValue } from '../../../../src/scripts/scripting/index.ts'
import { httpClientLimits } from '../../../../src/scripts/services/http/index.ts'
import {
  type Answering,
  type HttpPeer,
  httpPeer,
  httpsPeer,
} from '../../../fixtures/http-client.ts'
import { type TestService, testService } from '../../../fixtures/peers/http-service.ts'
import { serverOptions } from '../../../fixtures/peers/tls-server.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { openOpenssl } from '../../../fixtures/wire/openssl.ts'

type Fields = { readonly [key: string]: ScriptValue }
type Failure = { readonly error: string; readonly status: number }

/** Leads by `/<status>/<count>` to itself, and at 0 to `to`. */
function leading(to: () => string): Answering {
  return (response, { url }) => {
    const [, status = '', count = ''] = url.split('/')
    const left = Number(count) - 1
    response.writeHead(Number(status), { location: left > 0 ? `/${status}/${left}` : to() }).end()
  }
}

let service: TestService
let near: HttpPeer
let goal: HttpPeer
let location = ''

const onPeers = sharedBySuites(async (suite) => {
  service = await testService(suite)
  goal = await httpPeer(suite, (response) => response.end('goal'))
  near = await httpPeer(suite, (response, request) => {
    if (request.url === '/end') response.end('end')
    else leading(() => location)(response, request)
  })
})

async function through(status: number, operation: string, to: string, args: Fields = {}) {
  location = to
  return service.call(operation, { url: `${near.url}${status}/1`, ...args })
}

const getBody = (given: ScriptValue) => (given as { body?: unknown })?.body

describe('redirects of the HTTP client', () => {
  onPeers()

  for (const [status, operation, becomes, keeps] of [
    [301, 'get', 'GET', false],
    [301, 'post', 'GET', false],
    [302, 'post', 'GET', false],
    [303, 'post', 'GET', false],
    [303, 'put', 'GET', false],
    [303, 'head', 'HEAD', false],
    [301, 'put', 'PUT', true],
    [302, 'delete', 'DELETE', true],
    [307, 'post', 'POST', true],
    [308, 'patch', 'PATCH', true],
  ] as const) {
    test(`a ${operation} that meets ${status} becomes ${becomes}`, async () => {
      const body = operation === 'get' || operation === 'head' ? {} : { json: { a: 1 } }
      const given = await through(status, operation, '/end', body)
      assert.equal(getBody(given), operation === 'head' ? '' : 'end', JSON.stringify(given))
      const { method, body: sent, headers } = near.last()
      assert.deepEqual([method, sent.toString()], [becomes, keeps ? '{"a":1}' : ''])
      assert.equal(headers['content-type'], keeps ? 'application/json' : undefined)
    })
  }

  for (const status of [300, 304, 305, 306]) {
    test(`${status} leads nowhere: it is the answer`, async () => {
      const given = await through(status, 'get', '/end')
      assert.equal((given as { status_code: number }).status_code, status)
    })
  }

  test('a Location that is missing or unreadable: the answer is the end', async (t) => {
    location = 'http://['
    const given = await service.call('get', { url: `${near.url}302/1` })
    assert.equal((given as { status_code: number }).status_code, 302)
    const bare = await httpPeer(t, (response) => response.writeHead(302).end('no way'))
    assert.equal(getBody(await service.call('get', { url: bare.url })), 'no way')
    for (const blank of ['', ' ']) {
      const empty = await httpPeer(t, (response) => {
        response.socket?.end(
          `HTTP/1.1 302 Found\r\nlocation:${blank}\r\ncontent-length: 3\r\n\r\nend`,
        )
      })
      const given = await service.call('get', { url: empty.url })
      assert.equal(getBody(given), 'end', JSON.stringify(given))
      assert.equal(empty.connections(), 1)
    }
  })

  test('to another scheme, or with a user name, none is followed', async () => {
    for (const [to, why] of [
      ['ftp://127.0.0.1/', 'is of the scheme ftp:, not http: or https:'],
      ['http://user:pw@127.0.0.1/', 'holds a user name or a password'],
    ] as const) {
      const given = (await through(302, 'get', to)) as Failure
      assert.equal(given.status, 502)
      assert.ok(given.error.startsWith(`127.0.0.1 redirects to a URL that ${why}`), given.error)
    }
  })

  test('a Location may be relative, and hold UTF-8 or Latin-1', async () => {
    assert.equal(getBody(await through(302, 'get', goal.url.slice('http:'.length))), 'goal')
    await through(302, 'get', `${goal.url}${Buffer.from('ü').toString('latin1')}#part`)
    assert.equal(goal.last().url, '/%C3%BC')
    await through(302, 'get', `${goal.url}\u00fc`)
    assert.equal(goal.last().url, '/%C3%BC')
  })

  test(`${httpClientLimits.httpRedirectsMax} are followed, one more is an error`, async () => {
    location = '/end'
    const url = (count: number) => ({ url: `${near.url}302/${count}` })
    assert.equal(getBody(await service.call('get', url(httpClientLimits.httpRedirectsMax))), 'end')
    const given = await service.call('get', url(httpClientLimits.httpRedirectsMax + 1))
    assert.deepEqual(
      [(given as Failure).status, (given as Failure).error],
      [502, 'There are more than 5 redirects.'],
    )
  })
})

describe('a redirect of the HTTP client to another origin', () => {
  onPeers()

  test('within an origin everything goes along', async () => {
    await service.call('request', {
      url: `${near.url}302/1`,
      method: 'get',
      headers: { Authorization: 'Basic abc', Cookie: 'a=b', 'X-Key': 'k' },
    })
    const { headers } = near.last()
    assert.deepEqual([headers.authorization, headers.cookie], ['Basic abc', 'a=b'])
    assert.equal(headers['x-key'], 'k')
  })

  test('to another origin go no authorization, cookie, or header of the script', async () => {
    const secrets = { Authorization: 'Basic abc', Cookie: 'a=b', 'X-Key': 'k', 'x-own': '{{k}}' }
    const args = { headers: { ...secrets, Accept: 'a/b', 'User-Agent': 'me' }, credentials: 'k=v' }
    await through(302, 'get', goal.url, args)
    const { headers } = goal.last()
    for (const name of Object.keys(secrets)) {
      assert.equal(headers[name.toLowerCase()], undefined, name)
    }
    assert.deepEqual([headers.accept, headers['user-agent']], ['a/b', 'me'])
    await through(302, 'get', goal.url, { headers: { Accept: '{{k}}' }, credentials: 'k=v' })
    assert.equal(goal.last().headers.accept, '*/*')
  })

  test('to another origin a body goes along, but not one with credentials in it', async () => {
    await through(307, 'post', goal.url, { body: 'plain', credentials: 'k=v' })
    assert.equal(goal.last().body.toString(), 'plain')
    const count = goal.requests.length
    const given = await through(307, 'post', goal.url, { body: 'a {{k}}', credentials: 'k=v' })
    assert.match((given as Failure).error, /redirects a body with credentials/)
    assert.equal(goal.requests.length, count)
    await through(303, 'post', goal.url, { body: 'a {{k}}', credentials: 'k=v' })
    assert.equal(goal.last().body.length, 0)
  })

  test('each hop meets the guard', async (t) => {
    const strict = await testService(t, { allow: [near.host] })
    const count = goal.connections()
    location = goal.url
    const given = await strict.call('get', { url: `${near.url}302/1` })
    assert.match((given as Failure).error, /does not allow calls to 127\.0\.0\.1/)
    assert.equal(goal.connections(), count)
  })

  test('from https to http no redirect is followed', async (t) => {
    const { options, ca } = await serverOptions(await openOpenssl(t))
    const secure = await httpsPeer(t, options, (response) => {
      response.writeHead(302, { location: goal.url }).end()
    })
    const count = goal.requests.length
    const given = await service.call('get', { url: secure.url, sslOptions: { cacerts: ca.pem } })
    assert.match((given as Failure).error, /redirects from https to http/)
    assert.equal(goal.requests.length, count)
  })
})
