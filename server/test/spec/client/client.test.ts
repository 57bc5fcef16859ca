import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, createClient, unwrap, upload } from '@millrace/client'
import { generateTypes, typesFile } from '../../../../client/generate.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'

describe('the typed client', () => {
  const context = suiteContext()
  let instance: TestPlatform

  before(async () => {
    instance = await testPlatform(context)
  })

  it('has the types of the OpenAPI document', async () => {
    const text = readFileSync(typesFile, 'utf8')
    assert.equal(text, await generateTypes(), 'run npm run reference')
  })

  it('calls a route with an API token', async () => {
    const client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    const { connectors } = await unwrap(client.GET('/api:1/connectors'))
    assert.deepEqual(
      connectors.map(({ id }) => id),
      [instance.connector.id],
    )
  })

  it('turns a refusal into an error with its code, status and sentence', async () => {
    const client = createClient({ url: instance.httpUrl, credential: { apiToken: instance.token } })
    const path = { connector: 'nothing' }
    const params = { path }
    await assert.rejects(
      () => unwrap(client.GET('/api:1/service/{connector}/device2', { params })),
      (error: unknown) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual([error.code, error.status], ['not_found', 404])
        assert.match(error.message, /connector/)
        return true
      },
    )
  })

  it('waits for a file as long as its pieces come, and no longer for an answer', async (t) => {
    const server = createServer((request, response) => {
      request.resume()
      request.once('end', () => request.method === 'PUT' && response.end('{}'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const client = createClient({ url: `http://127.0.0.1:${port}`, timeoutMs: 1_500 })
    async function* slowFile() {
      for (let piece = 0; piece < 6; piece += 1) {
        yield new Uint8Array(8)
        await pause(500)
      }
    }
    const options = { contentType: 'text/plain' }
    const answer = await upload(client, '/file', slowFile(), options)
    assert.equal(answer.status, 200)
    const silent = upload(client, '/file', slowFile(), {
      contentType: 'text/plain',
      method: 'POST',
    })
    await assert.rejects(silent, { code: 'timeout' })
  })

  it('says so where another program answers', async () => {
    const other = createClient({ url: `${instance.httpUrl}/nowhere` })
    await assert.rejects(() => unwrap(other.GET('/api:1/connectors')), { code: 'not_found' })
  })
})
