import { strict as assert } from 'node:assert'
import { describe, it, type TestContext } from 'node:test'
import { createClient, type FollowOptions, follow } from '@millrace/client'
import { type Act, json, scriptedServer } from '../../../fixtures/wire/scripted-server.ts'

const path = '/api:1/service/{connector}/device2/logs'
const refusal = (code: string, status: number) => ({ code, message: `It is ${code}.`, status })
const line = (id: string) => `id: ${id}\nevent: line\ndata: {"id":"${id}"}\n\n`
const end = (code: string, status: number) =>
  `event: end\ndata: ${JSON.stringify(refusal(code, status))}\n\n`

type Stream = { readonly isBroken?: boolean; readonly heartbeatMs?: number }

/** Opens a stream, and sends a text; it stays open, or breaks. */
const stream =
  (text: string, { isBroken = false, heartbeatMs = 60_000 }: Stream = {}): Act =>
  (_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'millrace-heartbeat': heartbeatMs,
    })
    response.write(': open\n\n')
    response.write(text, () => isBroken && response.destroy())
  }

describe('follow, of the typed client', () => {
  /** Follows until `count` events have come. */
  async function read(
    t: TestContext,
    acts: readonly [Act, ...Act[]],
    count: number,
    options: FollowOptions = {},
  ) {
    const asked: unknown[] = []
    const lost: string[] = []
    const noted = acts.map((act): Act => {
      return (request, response) => {
        asked.push(request.headers['last-event-id'])
        act(request, response)
      }
    }) as [Act, ...Act[]]
    const client = createClient({ url: await scriptedServer(t, noted), timeoutMs: 2_000 })
    const params = {
      path: { connector: 'a b' },
      query: { type: ['write' as const, 'set' as const] },
    }
    const views = follow(client, path, params, {
      retryMs: 1,
      lost: (error) => lost.push((error as { code: string }).code),
      ...options,
    })
    const ids: string[] = []
    for await (const { event, data } of views) {
      assert.equal(event, 'line')
      ids.push(data.id)
      if (ids.length === count) break
    }
    return { ids, asked, lost }
  }

  it('goes on behind the last event after a connection that broke or fell silent', async (t) => {
    const acts = [
      stream(line('1') + line('2'), { heartbeatMs: 400 }),
      stream(line('3') + end('server_closed', 503)),
      json(503, refusal('overloaded', 503)),
      json(502, 'no gateway'),
      stream(line('4'), { isBroken: true }),
      stream(line('5')),
    ] as const
    const { ids, asked, lost } = await read(t, [...acts], 5)
    assert.deepEqual(ids, ['1', '2', '3', '4', '5'])
    assert.deepEqual(asked, [undefined, '2', '3', '3', '3', '4'])
    assert.deepEqual(lost.slice(0, 4), ['timeout', 'server_closed', 'overloaded', 'not_an_api'])
  })

  it('asks for the parameters of the document', async (t) => {
    let url: string | undefined
    const noting: Act = (request, response) => {
      url = request.url
      stream(line('1'))(request, response)
    }
    await read(t, [noting], 1)
    assert.equal(url, '/api:1/service/a%20b/device2/logs?type=write,set')
  })

  it('is over, with the reason, if the API refuses it or ends it', async (t) => {
    const forbidden = refusal('forbidden', 403)
    await assert.rejects(read(t, [json(403, forbidden)], 1), { code: 'forbidden', status: 403 })
    const ended = stream(line('1') + end('unknown_credential', 401))
    await assert.rejects(read(t, [ended], 2), { code: 'unknown_credential', status: 401 })
    await assert.rejects(read(t, [json(200, {})], 1), { code: 'not_an_api', status: 200 })
  })

  it('takes a page in the place of the API for a passing fault once it was open', async (t) => {
    const acts = [stream(line('1'), { isBroken: true }), json(200, {}), stream(line('2'))] as const
    assert.deepEqual((await read(t, [...acts], 2)).ids, ['1', '2'])
  })

  it('lets events wait for what is done at the opening, and asks for the place', async (t) => {
    const order: string[] = []
    let tries = 0
    const opened = async () => {
      tries += 1
      order.push(`open ${tries}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (tries === 1) throw Object.assign(new Error(), { code: 'x' })
    }
    const failing = read(t, [stream(line('1'))], 1, { opened })
    await assert.rejects(failing, { code: 'x' })
    const { asked } = await read(t, [stream(line('1'))], 1, { opened, after: () => `at ${tries}` })
    assert.deepEqual([order, asked], [['open 1', 'open 2'], ['at 1']])
  })

  it('ends where its signal says so, also in a pause', async (t) => {
    const stop = new AbortController()
    const lost = () => setTimeout(() => stop.abort(), 10)
    const busy = json(429, refusal('too_many_requests', 429), { 'retry-after': '3600' })
    const { ids } = await read(t, [busy], 1, { signal: stop.signal, lost })
    assert.deepEqual(ids, [])
  })
})
