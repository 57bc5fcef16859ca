import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { ApiError, createClient, unwrap } from '@millrace/client'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'

describe('the typed client', () => {
  const context = suiteContext()
  let instance: TestPlatform

  before(async () => {
    instance = await testPlatform(context)
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

  it('says so where another program answers', async () => {
    const other = createClient({ url: `${instance.httpUrl}/nowhere` })
    await assert.rejects(() => unwrap(other.GET('/api:1/connectors')), { code: 'not_found' })
  })
})
