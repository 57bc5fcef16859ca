import { strict as assert } from 'node:assert'
import { on, once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createSocketClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { graphqlLimits } from '../../../../src/api/graphql/index.ts'
import { setStatus } from '../../../fixtures/assets.ts'
import { waitMsMax } from '../../../fixtures/bounds.ts'
import { type TestPlatform, testPlatform } from '../../../fixtures/platform.ts'

type EventOf = {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly object[]
}

/** A subscription, and what came of it. */
type Reader = {
  readonly events: EventOf[]
  /** Resolves with all events once there are so many, or the server ended it. */
  until(count: number): Promise<readonly EventOf[]>
  /** Resolves once the server ended it. */
  readonly ended: Promise<void>
  close(): void
}

type Client = {
  subscribe(payload: object, sink: object): () => void
  dispose(): unknown
}

/** Both transports, through their own clients: a browser's page and a program use the same. */
const transports: Readonly<Record<string, (url: string, token: string) => Client>> = {
  'server-sent events': (url, token) =>
    createSseClient({ url, headers: { authorization: token }, retryAttempts: 0 }) as Client,
  'a websocket': (url, token) =>
    createSocketClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: token },
      retryAttempts: 0,
    }) as Client,
}

function read(t: TestContext, client: Client, query: string, variables = {}): Reader {
  const events: EventOf[] = []
  const waiting = new Set<() => void>()
  const ended = Promise.withResolvers<void>()
  let over = false
  const wake = () => {
    for (const one of waiting) one()
  }
  const end = () => {
    over = true
    ended.resolve()
    wake()
  }
  const sink = {
    next(event: EventOf) {
      events.push(event)
      wake()
    },
    error: end,
    complete: end,
  }
  const close = client.subscribe({ query, variables }, sink)
  t.after(() => {
    close()
    client.dispose()
  })
  const until = (count: number) =>
    new Promise<readonly EventOf[]>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(JSON.stringify(events))), waitMsMax)
      const look = () => {
        if (events.length < count && !over) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(events)
      }
      waiting.add(look)
      look()
    })
  return { events, until, ended: ended.promise, close }
}

/** An instance with an asset of one signal, and a way to write values of it. */
async function plant(t: TestContext) {
  const millrace = await testPlatform(t)
  const { platform, view } = millrace
  const signals = [{ name: 'flow', primitiveType: 'NUMERIC' }] as const
  const asset = await platform.assets.create(view, { name: 'Pump', signals })
  const [signal] = (await platform.assets.signals.ofAssets(view, [asset.id])) ?? []
  assert(signal !== undefined)
  const startUs = platform.clock.nowUs()
  const write = (at: number, value: number) =>
    platform.database.transaction((transaction) =>
      platform.assets.writeValues(transaction, [{ key: signal.key, ts: startUs + at, value }]),
    )
  return { millrace, view, asset, signal, write, startUs }
}

const graphqlUrl = ({ httpUrl }: Pick<TestPlatform, 'httpUrl'>) => `${httpUrl}/api/graphql`

const valuesQuery = `subscription($ids: [ID!]!, $after: Timestamp) {
  values(signalIds: $ids, after: $after) { signalId value }
}`

const readValue = (event: EventOf | undefined) =>
  (event?.data?.values as { value: number } | undefined)?.value

for (const [name, open] of Object.entries(transports)) {
  test(`values come over ${name}, from a position, and over processes`, async (t) => {
    const { millrace, signal, write, startUs } = await plant(t)
    const other = await millrace.another()
    await write(1, 10)
    await write(2, 20)
    const client = open(graphqlUrl(other), `Automation ${millrace.token}`)
    const after = startUs + 1
    const reader = read(t, client, valuesQuery, { ids: [signal.id], after })
    assert.deepEqual((await reader.until(1)).map(readValue), [20])
    await write(3, 30)
    await write(4, 40)
    assert.deepEqual((await reader.until(3)).map(readValue), [20, 30, 40])
  })

  test(`three of one client over ${name} end, each for its token`, async (t) => {
    const { millrace, asset, signal, write } = await plant(t)
    const { platform, businessId } = millrace
    const made = await platform.accounts.createToken(businessId, { name: 'x', role: 'Viewer' })
    const client = open(graphqlUrl(millrace), `Automation ${made.token}`)
    const values = read(t, client, valuesQuery, { ids: [signal.id], after: 0 })
    const others = [
      `subscription { statuses(assetIds: ["${asset.id}"]) { assetId } }`,
      `subscription { logLines(assetId: "${asset.id}") { text } }`,
    ].map((query) => read(t, client, query))
    await write(1, 10)
    await values.until(1)
    const beganMs = performance.now()
    await platform.accounts.revokeToken(businessId, made.id)
    for (const { ended, events } of [values, ...others]) {
      await ended
      const [last] = events.at(-1)?.errors as [{ extensions: { code: string } }]
      assert.equal(last.extensions.code, 'unknown_credential')
    }
    t.diagnostic(`${Math.round(performance.now() - beganMs)} ms`)
    await write(2, 20)
    assert.equal(values.events.length, 2)
  })

  test(`one over ${name} ends as well if another process revokes its token`, async (t) => {
    const { millrace, signal, write } = await plant(t)
    const { platform, businessId } = millrace
    const other = await millrace.another()
    const made = await platform.accounts.createToken(businessId, { name: 'x', role: 'Viewer' })
    const client = open(graphqlUrl(other), `Automation ${made.token}`)
    const reader = read(t, client, valuesQuery, { ids: [signal.id], after: 0 })
    await write(1, 10)
    await reader.until(1)
    const beganMs = performance.now()
    await platform.accounts.revokeToken(businessId, made.id)
    await reader.ended
    t.diagnostic(`${Math.round(performance.now() - beganMs)} ms`)
  })

  test(`a query runs over ${name} too`, async (t) => {
    const { millrace } = await plant(t)
    const client = open(graphqlUrl(millrace), `Automation ${millrace.token}`)
    const [answer] = await read(t, client, '{ assetCount }').until(1)
    assert.deepEqual(answer?.data, { assetCount: 1 })
  })
}

test('a websocket that stays open runs nothing for a token that is revoked', async (t) => {
  const { millrace } = await plant(t)
  const { platform, businessId, view } = millrace
  const wanted = { name: 'x', role: 'Administrator' }
  const made = await platform.accounts.createToken(businessId, wanted)
  const socket = new WebSocket(graphqlUrl(millrace).replace('http', 'ws'), 'graphql-transport-ws')
  t.after(() => socket.close())
  const messages = on(socket, 'message')
  const receive = async () => {
    const { value = [] } = await messages.next()
    return JSON.parse(String(value[0])) as { type: string; payload?: unknown }
  }
  const ask = (message: object) => {
    socket.send(JSON.stringify(message))
    return receive()
  }
  const operation = (id: string, query: string) =>
    ask({ id, type: 'subscribe', payload: { query } })
  await once(socket, 'open')
  const payload = { authorization: `Automation ${made.token}` }
  assert.equal((await ask({ type: 'connection_init', payload })).type, 'connection_ack')
  assert.equal((await operation('1', '{ assetCount }')).type, 'next')
  assert.equal((await receive()).type, 'complete')
  await platform.accounts.revokeToken(businessId, made.id)
  for (const [id, query] of [
    ['2', '{ assetCount }'],
    ['3', 'mutation { createAsset(input: { name: "Late" }) { id } }'],
  ] as const) {
    const refused = await operation(id, query)
    assert.equal(refused.type, 'error')
    const [error] = refused.payload as [{ extensions: { code: string } }]
    assert.equal(error.extensions.code, 'unknown_credential')
  }
  assert.equal((await platform.assets.list(view)).length, 1)
})

test('statuses, their events, devices and log lines come as they happen', async (t) => {
  const { millrace, view, asset } = await plant(t)
  const { platform, businessId, connector } = millrace
  const { database, assets, provisioning } = platform
  await provisioning.identities.add(businessId, connector.id, 'pump-1')
  const open = transports['a websocket']
  assert(open !== undefined)
  const client = open(graphqlUrl(millrace), `Automation ${millrace.token}`)
  const id = JSON.stringify(asset.id)
  const subscribe = (fields: string) => read(t, client, `subscription { ${fields} }`)
  const statuses = subscribe(`statuses(assetIds: [${id}]) { assetId status { since } }`)
  const events = subscribe(`events(assetIds: [${id}], after: "0") { id ruleId }`)
  const lines = subscribe(`logLines(assetId: ${id}) { position severity text }`)
  const devices = subscribe(
    `devices(connectorId: "${connector.id}", identities: ["pump-1"]) { identity status }`,
  )
  assert.deepEqual((await devices.until(1))[0]?.data, {
    devices: { identity: 'pump-1', status: 'whitelisted' },
  })
  const at = platform.clock.nowUs()
  const status = { ts: at, level: 3 as const, category: 'default' }
  await database.transaction((held) => setStatus(assets, held, businessId, asset.id, 'r', status))
  await database.transaction((held) =>
    assets.log(held, businessId, asset.id, { at, severity: 'warning', text: 'too high' }),
  )
  await statuses.until(1)
  const [event] = await events.until(1)
  assert.equal((event?.data?.events as { ruleId: string }).ruleId, 'r')
  const [line] = await lines.until(1)
  assert.equal((line?.data?.logLines as { text: string }).text, 'too high')
  await provisioning.identities.change(businessId, connector.id, 'pump-1', { locked: true })
  assert.deepEqual((await devices.until(2))[1]?.data, {
    devices: { identity: 'pump-1', status: 'locked' },
  })
  assert.equal(await assets.count(view), 1)
})

test('a subscription ends when an asset of it is gone, and one to no asset at once', async (t) => {
  const { millrace, view, asset, signal, write } = await plant(t)
  const { assets } = millrace.platform
  const open = transports['a websocket']
  assert(open !== undefined)
  const client = open(graphqlUrl(millrace), `Automation ${millrace.token}`)
  const other = await assets.create(view, { name: 'Tank' })
  const listFields = (assetId: string, signalId: string) => [
    `values(signalIds: ["${signal.id}", "${signalId}"], after: 0) { value }`,
    `statuses(assetIds: ["${other.id}", "${assetId}"]) { assetId }`,
    `events(assetIds: ["${other.id}", "${assetId}"], after: "0") { id }`,
    `logLines(assetId: "${assetId}") { text }`,
  ]
  const subscribe = (fields: string) => read(t, client, `subscription { ${fields} }`)
  const readCode = async (reader: Reader) => {
    const events = await reader.until(Number.POSITIVE_INFINITY)
    const [last] = (events.at(-1)?.errors ?? []) as { extensions: { code: string } }[]
    return last?.extensions.code
  }
  await write(1, 10)
  for (const reader of listFields(`${asset.id}0`, `${signal.id}0`).map(subscribe)) {
    assert.equal(await readCode(reader), 'not_found')
    assert.equal(reader.events.length, 1)
  }
  const readers = listFields(asset.id, signal.id).map(subscribe)
  await readers[0]?.until(1)
  await readers[1]?.until(2)
  await assets.remove(view, asset.id)
  for (const reader of readers) assert.equal(await readCode(reader), 'not_found')
})

test('a holder has so many subscriptions open, and one more is refused', async (t) => {
  const { millrace, signal } = await plant(t)
  const open = transports['a websocket']
  assert(open !== undefined)
  const client = open(graphqlUrl(millrace), `Automation ${millrace.token}`)
  const variables = { ids: [signal.id], after: 0 }
  const readers = Array.from({ length: graphqlLimits.graphqlSubscriptionsOfHolderMax + 1 }, () =>
    read(t, client, valuesQuery, variables),
  )
  const refused = await Promise.race(readers.map((reader) => reader.until(1)))
  const [error] = refused[0]?.errors as [{ extensions: { code: string } }]
  assert.equal(error.extensions.code, 'overloaded')
})
