import { strict as assert } from 'node:assert'
import { describe, it, type TestContext } from 'node:test'
import { createClient, readJson, unwrap } from '@millrace/client'
import { type Act, json, scriptedServer } from '../../../fixtures/wire/scripted-server.ts'

const timeoutMs = 1_500

describe('the typed client, where answers are not as they should be', () => {
  const ask = async (t: TestContext, act: Act) => {
    const client = createClient({ url: await scriptedServer(t, [act]), timeoutMs })
    return unwrap(client.GET('/api:1/connectors'))
  }

  it('waits for each piece of an answer, and not for ever', async (t) => {
    const slow: Act = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const pieces = ['{"con', 'nec', 'tors', '":[]', '}']
      const send = () => {
        const piece = pieces.shift()
        if (piece === undefined) return response.end()
        response.write(piece)
        return setTimeout(send, timeoutMs / 3)
      }
      send()
    }
    assert.deepEqual(await ask(t, slow), { connectors: [] })
    const stuck: Act = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"con')
    }
    await assert.rejects(ask(t, stuck), { code: 'timeout', status: 0 })
    await assert.rejects(
      ask(t, () => {}),
      { code: 'timeout', status: 0 },
    )
  })

  it('reports a connection that breaks within an answer', async (t) => {
    const broken: Act = (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .write('{"con', () => response.destroy())
    }
    await assert.rejects(ask(t, broken), { code: 'unreachable', status: 0 })
  })

  it('reports that another program answers', async (t) => {
    const page: Act = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>a proxy</html>')
    }
    await assert.rejects(ask(t, page), { code: 'not_an_api', status: 200 })
    await assert.rejects(ask(t, json(502, { error: 'bad gateway' })), {
      code: 'not_an_api',
      status: 502,
    })
    const client = createClient({ url: await scriptedServer(t, [page]) })
    await assert.rejects(readJson(await client.request('/')), { code: 'not_an_api' })
  })

  it('has the time after which trying again is worth while', async (t) => {
    const refusal = { code: 'overloaded', message: 'Too many.', status: 503 }
    const busy = json(503, refusal, { 'retry-after': '7' })
    await assert.rejects(ask(t, busy), { code: 'overloaded', status: 503, retryAfterS: 7 })
  })
})
