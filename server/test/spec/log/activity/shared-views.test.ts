import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { applyLimits, limits } from '../../../../src/foundation/kernel/index.ts'
import { activityLimits } from '../../../../src/log/activity/index.ts'
import { waitMsMax } from '../../../fixtures/bounds.ts'
import { testPlatform, unique } from '../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { type LogLine, type LogReader, logReader } from '../../../fixtures/wire/connector-log.ts'
import { newDevice } from '../../../fixtures/wire/device.ts'
import { readEvents, type ServerEvent } from '../../../fixtures/wire/sse.ts'

let log: LogReader
const onLog = sharedBySuites(async (suite) => {
  log = await logReader(suite)
})

async function follow(t: TestContext, query = '', headers: Record<string, string> = {}) {
  const reader = await readEvents(`${log.url}?${query}`, { ...log.as, ...headers })
  t.after(() => reader.close())
  return reader
}

type Refusal = { readonly code: string; readonly message: string; readonly status: number }

const says = (message: string) => (event: ServerEvent) =>
  (event.data as LogLine).message === message

describe('live views of a process', () => {
  onLog()

  it('are shared by businesses: one leaves some to others', async (t) => {
    const { logStreamsMax } = limits
    t.after(() => applyLimits({ logStreamsMax }))
    applyLimits({ logStreamsMax: 5 })
    for (let at = 0; at < 4; at += 1) assert.equal((await follow(t)).status, 200)
    const more = await follow(t)
    assert.equal(more.status, 503)
    const { platform, httpUrl } = log.millrace
    const other = await platform.accounts.createBusiness({ name: 'Beside' })
    const wanted = { name: 't', role: 'Administrator' }
    const { token } = await platform.accounts.createToken(other.id, wanted)
    const theirs = { id: unique('beside'), name: 'Theirs' }
    const { id } = await platform.provisioning.connectors.create(other.id, theirs)
    const url = `${httpUrl}/api:1/service/${id}/device2/logs`
    const reader = await readEvents(url, { Authorization: `Automation ${token}` })
    t.after(() => reader.close())
    assert.equal(reader.status, 200)
  })
})

describe("the connector's log live, as server-sent events", () => {
  onLog()

  it('shows a write and a refusal soon after they happened', async (t) => {
    log.forget()
    const reader = await follow(t)
    assert.equal(reader.status, 200)
    await log.device.write('a=live')
    await log.device.write('temperature=cold')
    const written = await reader.until(says('Wrote a=live.'))
    assert.equal(written.event, 'line')
    const line = written.data as LogLine
    assert.equal(line.id, written.id)
    assert.equal(line.type, 'write')
    const isRefusal = ({ data }: ServerEvent) => (data as LogLine).code === 'value_refused'
    await reader.until(isRefusal)
    assert.equal(reader.events.filter(says('Wrote a=live.')).length, 1)
  })

  it('shows what the filter lets through, and nothing else', async (t) => {
    const reader = await follow(t, 'identity=other&type=write')
    const other = await newDevice(log.millrace.httpUrl, log.millrace.connector.id, 'other')
    await log.device.write('a=hidden')
    await other.write('a=shown')
    await reader.until(says('Wrote a=shown.'))
    assert.deepEqual(
      reader.events.map(({ data }) => (data as LogLine).identity),
      ['other'],
    )
  })

  it('goes on behind Last-Event-ID, with what became visible late before it', async (t) => {
    const { eventlog } = log.millrace.platform
    const { businessId, connector, clock } = log.millrace
    await log.device.write('a=known')
    const [known] = (await log.read('type=write&limit=1')).lines
    const entry = { businessId, connectorId: connector.id, identity: 'late' }
    const payload = [{ timestamp: 1, values: { a: 'late' } }]
    const body = { ip: '', protocol: 'http', payload }
    const late = (ms: number) => ({
      ...entry,
      kind: 'write' as const,
      at: clock.nowUs() - ms * 1_000,
      body,
    })
    await eventlog.append(late(activityLimits.tailOverlapMs * 2))
    await eventlog.append(late(activityLimits.tailOverlapMs / 2))
    await log.device.write('a=next')
    const reader = await follow(t, 'type=write', { 'Last-Event-ID': known?.id ?? '' })
    await reader.until(says('Wrote a=next.'))
    const shown = reader.events.map(({ data }) => data as LogLine)
    assert.equal(shown.filter(({ identity }) => identity === 'late').length, 1)
    assert.equal(shown.filter(({ id }) => id === known?.id).length, 0)
  })

  it('goes on behind Last-Event-ID, without the line itself', async (t) => {
    // Lines of the moments before may come again.
    log.millrace.clock.advance(2 * activityLimits.tailOverlapMs)
    await log.device.write('a=first')
    await log.device.write('a=second')
    const [second, first] = (await log.read('type=write&limit=2')).lines
    assert.equal(first?.message, 'Wrote a=first.')
    const reader = await follow(t, 'type=write', { 'Last-Event-ID': first?.id ?? '' })
    await reader.until(says('Wrote a=second.'))
    assert.equal(reader.events[0]?.id, second?.id)
  })

  it('reports that it alone is not the whole of a busy log', async (t) => {
    const { eventlog } = log.millrace.platform
    const { businessId, connector, clock } = log.millrace
    const [last] = (await log.read('limit=1')).lines
    const count = activityLimits.tailPageMax + 10
    await Promise.all(
      Array.from({ length: count }, (_, n) =>
        eventlog.append({
          businessId,
          connectorId: connector.id,
          identity: 'busy',
          kind: 'write',
          at: clock.nowUs(),
          body: { ip: '', protocol: 'test', payload: [], unknown: [`n${n}`] },
        }),
      ),
    )
    const reader = await follow(t, '', { 'Last-Event-ID': last?.id ?? '' })
    const skipped = await reader.until(({ data }) => (data as LogLine).code === 'lines_skipped')
    assert.equal((skipped.data as LogLine).type, 'log')
  })
})

describe("the end of a live view of the connector's log", () => {
  onLog()

  it('closes a reader that does not read, and logs it', async (t) => {
    const { eventlog } = log.millrace.platform
    const { businessId, connector, clock } = log.millrace
    const { hostname, port, pathname } = new URL(log.url)
    const socket = connect(Number(port), hostname).pause()
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    const head = [`GET ${pathname} HTTP/1.1`, 'Host: localhost', 'Accept: text/event-stream']
    socket.write(`${head.join('\r\n')}\r\nAuthorization: ${log.as.Authorization}\r\n\r\n`)
    const values = { a: 'x'.repeat(activityLimits.lineBodyBytesMax - 200) }
    const body = { ip: '', protocol: 'test', payload: [{ timestamp: 1, values }] }
    const entry = { businessId, connectorId: connector.id, identity: 'much', body } as const
    let said: string | null | undefined
    const untilMs = performance.now() + waitMsMax
    while (performance.now() < untilMs && said !== 'slow_reader') {
      await Promise.all(
        Array.from({ length: 100 }, () =>
          eventlog.append({ ...entry, kind: 'write', at: clock.nowUs() }),
        ),
      )
      said = (await log.read('type=log&limit=1')).lines[0]?.code
    }
    assert.equal(said, 'slow_reader')
  })

  it('ends when the session ends', async (t) => {
    const { accounts } = log.millrace.platform
    const { token, expiresAt } = await accounts.signIn(
      log.millrace.account.email,
      log.millrace.account.password,
    )
    assert.ok(expiresAt > 0)
    const reader = await readEvents(log.url, { Authorization: `token ${token}` })
    t.after(() => reader.close())
    assert.equal(reader.status, 200)
    await accounts.signOut(token)
    await reader.ended()
    const { event, data } = reader.events.at(-1) ?? {}
    assert.equal(event, 'end')
    const { code, message, status } = data as Refusal
    assert.deepEqual([code, status], ['unknown_credential', 401])
    assert.match(message, /credential/)
  })

  it('ends when the API token is revoked', async (t) => {
    const { accounts } = log.millrace.platform
    const { id, token } = await accounts.createToken(log.millrace.businessId, {
      name: 'live',
      role: 'Administrator',
    })
    const reader = await readEvents(log.url, { Authorization: `Automation ${token}` })
    t.after(() => reader.close())
    await accounts.revokeToken(log.millrace.businessId, id)
    await reader.ended()
    assert.equal(reader.events.at(-1)?.event, 'end')
  })
})

describe('a live view of a log, when the server closes', () => {
  it('ends, and does not keep the server from closing', async () => {
    const ends: (() => unknown)[] = []
    const context = { after: (end: unknown) => void ends.push(end as () => unknown) }
    // Nothing is cut: the stop waits for what is open, however long that takes.
    const millrace = await testPlatform(context, {
      own: 'stops the platform',
      times: { shutdownMs: 2 ** 31 - 1 },
    })
    const base = `${millrace.httpUrl}/api:1/service/${millrace.connector.id}/device2/logs`
    const reader = await readEvents(base, { Authorization: `Automation ${millrace.token}` })
    for (const end of ends) await end()
    await reader.ended()
    const { code, status } = reader.events.at(-1)?.data as Refusal
    assert.deepEqual([code, status], ['server_closed', 503])
  })
})
