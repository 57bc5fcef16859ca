import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { type RawAnswer, type RawClient, rawClient } from '../../../fixtures/wire/raw.ts'

const most = limits.managementBodyBytesMax
const refusal = {
  code: 'too_large',
  message: 'The message exceeds the size limit.',
  status: 413,
}

describe('a JSON body of the management API that is larger than the limit', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  before(async () => {
    instance = await testPlatform(suite)
  })

  const connect = () => {
    const client = rawClient(instance.httpUrl)
    suite.after(() => client.close())
    return client
  }
  const head = (start: string, length: string, authorization = instance.token) =>
    `${start} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Automation ${authorization}\r\n` +
    `Content-Type: application/json\r\n${length}\r\n\r\n`
  const create = 'POST /api:1/connectors'
  const whoami = () => head('GET /api:1/whoami', 'Accept: */*')
  const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`

  /** The rest of the body is read, so that the sender receives the answer. */
  async function isRefused(client: RawClient, answer: RawAnswer, rest: string) {
    assert.equal(answer.status, 413, answer.text)
    assert.deepEqual(JSON.parse(answer.body), refusal)
    assert.equal((await client.ask(rest + whoami())).status, 200)
  }

  it('is refused by its length, before a byte of it is read', async () => {
    const client = connect()
    const length = 16 * most
    const answer = await client.ask(head(create, `Content-Length: ${length}`))
    await isRefused(client, answer, 'x'.repeat(length))
  })

  it('is refused in chunks at the first byte past the limit, before its end', async () => {
    const client = connect()
    const past = head(create, 'Transfer-Encoding: chunked') + chunk(most) + chunk(1)
    await isRefused(client, await client.ask(past), `${chunk(16 * most)}0\r\n\r\n`)
  })

  it('is read up to the limit, by its length and in chunks', async () => {
    const bodies = [
      head(create, `Content-Length: ${most}`) + 'x'.repeat(most),
      `${head(create, 'Transfer-Encoding: chunked') + chunk(most)}0\r\n\r\n`,
    ]
    for (const bytes of bodies) {
      const { status, body } = await connect().ask(bytes)
      assert.deepEqual([status, JSON.parse(body).code], [400, 'malformed_request'])
    }
  })

  it('may begin with a byte order mark, and is refused if it is not UTF-8', async () => {
    const ask = (body: string) => {
      const start = head(create, `Content-Length: ${body.length}`)
      return connect().ask(Buffer.from(start + body, 'latin1'))
    }
    const marked = await ask('\xef\xbb\xbf{"name":7}')
    assert.deepEqual([marked.status, JSON.parse(marked.body).code], [400, 'invalid_argument'])
    const latin1 = await ask('{"name":"\xff"}')
    assert.deepEqual([latin1.status, JSON.parse(latin1.body).code], [400, 'malformed_request'])
  })

  it('is refused without a credential for that reason, unread as well', async () => {
    const bytes = head(create, `Content-Length: ${16 * most}`, 'unknown')
    assert.equal((await connect().ask(bytes)).status, 401)
    const token = await connect().ask(head('POST /api:1/token', `Content-Length: ${16 * most}`))
    assert.equal(token.status, 413)
  })
})
