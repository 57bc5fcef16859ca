import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { waitMsMax } from '../../fixtures/bounds.ts'
import { type TestPlatform, testPlatform } from '../../fixtures/platform.ts'
import { suiteContext } from '../../fixtures/suite.ts'
import { activate, newDevice, send, type TestDevice } from '../../fixtures/wire/device.ts'
import { type EventReader, readEvents, type ServerEvent } from '../../fixtures/wire/sse.ts'

type Line = {
  id: string
  timestamp: number
  type: string
  severity: string
  identity: string | null
  ip: string
  protocol: string
  code: string | null
  message: string
  count: number
  payload?: { values: Record<string, string> }[]
}
type Page = { lines: Line[]; mayLoadMore: boolean; before?: string }

describe("the connector's log, as operators read it", () => {
  const suite = suiteContext()
  let millrace: TestPlatform
  let device: TestDevice
  let base: string
  let as: Record<string, string>
  before(async () => {
    millrace = await testPlatform(suite)
    base = `${millrace.httpUrl}/api:1/service/${millrace.connector.id}/device2/logs`
    as = { Authorization: `Automation ${millrace.token}` }
    device = await newDevice(millrace.httpUrl, millrace.connector.id, 'logged')
  })

  async function read(query = ''): Promise<Page> {
    await millrace.platform.activity.flush()
    const response = await fetch(`${base}?${query}`, { headers: as })
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Page
  }

  /** What the tests before have folded may not hide what this one does. */
  const forget = () => millrace.clock.advance(limits.lineRepeatMs + 1)

  it('logs a provision, a write and a value that was set, each once', async () => {
    await device.write('a=1&nobody=2')
    const { provisioning } = millrace.platform
    const { businessId, connector } = millrace
    await provisioning.setState(businessId, connector.id, 'logged', { b: 'x' })
    const { lines } = await read('identity=logged&type=provision,write,set')
    assert.deepEqual(
      lines.map(({ type, message, severity, count }) => [type, message, severity, count]),
      [
        ['set', 'Set b=x.', 'info', 1],
        ['write', 'Wrote a=1. Not defined: nobody.', 'info', 1],
        ['provision', 'The device was provisioned.', 'info', 1],
      ],
    )
    const written = lines[1]
    assert.equal(written?.identity, 'logged')
    assert.equal(written?.ip, '127.0.0.1')
    assert.equal(written?.protocol, 'http')
    assert.deepEqual(written?.payload?.[0]?.values, { a: '1' })
    assert.match(String(written?.timestamp), /^\d{16}$/)
  })

  it('logs reads, and repeated ones as one line with a count', async () => {
    forget()
    for (let n = 0; n < 5; n += 1) await device.read('a&b')
    const first = await read('type=read')
    assert.deepEqual(
      first.lines.map(({ message, count }) => [message, count]),
      [['Read a, b.', 1]],
    )
    forget()
    const both = await read('type=read')
    assert.deepEqual(
      both.lines.map(({ count }) => count),
      [4, 1],
    )
  })

  it('logs when a device connects and disconnects', async () => {
    forget()
    await read()
    await device.write('a=2')
    let types: string[] = []
    for (let tries = 0; tries < 2_000 && types.length < 2; tries += 1) {
      const { lines } = await read('type=connect,disconnect&limit=2')
      types = lines.map(({ type }) => type)
    }
    assert.deepEqual(types.sort(), ['connect', 'disconnect'])
  })

  const refusals: readonly [
    what: string,
    code: string,
    message: RegExp,
    ask: (url: string, host: string) => Promise<{ status: number; body: string }>,
    identity: string | null,
  ][] = [
    [
      'a second activation',
      'already_activated',
      /already activated/,
      (url, host) => activate(url, host, 'logged'),
      'logged',
    ],
    [
      'a value that breaks its format',
      'value_refused',
      /temperature/,
      () => device.write('temperature=warm'),
      'logged',
    ],
    [
      'an unknown credential, by the host that was called',
      'unknown_credential',
      /not known/,
      (url, host) =>
        send(url, 'GET', '/vendor:v1/stack/alias?a', {
          Host: host,
          'X-vendor-CIK': '0'.repeat(40),
        }),
      null,
    ],
    [
      'stamps that are too close',
      'timestamps_too_close',
      /less than a second/,
      () => device.record('alias=a&1500000000=1&1500000000=2'),
      'logged',
    ],
  ]
  for (const [what, code, message, ask, identity] of refusals) {
    it(`logs ${what}: the device gets the code, the operator the sentence`, async () => {
      forget()
      const answer = await ask(millrace.httpUrl, `${millrace.connector.id}.localhost`)
      assert.ok(answer.status >= 400)
      if (code !== 'timestamps_too_close') assert.equal(answer.body, code)
      let line: Line | undefined
      // Whose host was called may have to be looked up after the answer.
      for (let tries = 0; tries < 2_000 && line?.code !== code; tries += 1) {
        line = (await read('type=refusal&limit=1')).lines[0]
      }
      assert.equal(line?.code, code)
      assert.match(line?.message ?? '', message)
      assert.equal(line?.severity, 'warning')
      assert.equal(line?.identity, identity)
      assert.equal(line?.ip, '127.0.0.1')
      assert.equal(line?.protocol, 'http')
    })
  }

  it('logs the identity of a valid credential that was refused: a locked one', async () => {
    forget()
    const locked = await newDevice(millrace.httpUrl, millrace.connector.id, 'locked-one')
    const { identities } = millrace.platform.provisioning
    const { businessId, connector } = millrace
    await identities.whitelist(businessId, connector.id, 'locked-one', { locked: true })
    assert.equal((await locked.write('a=1')).status, 403)
    const [line] = (await read('identity=locked-one&type=refusal')).lines
    assert.equal(line?.code, 'locked')
  })

  it('is not flooded by a device that is refused in a loop', async () => {
    forget()
    await read()
    const before = (await read('type=refusal&limit=1000')).lines.length
    for (let n = 0; n < 60; n += 1) await device.write('temperature=warm')
    assert.equal((await read('type=refusal&limit=1000')).lines.length, before + 1)
    forget()
    const [line] = (await read('type=refusal&limit=1')).lines
    assert.equal(line?.count, 59)
  })

  it('is read page by page with before', async () => {
    const all = (await read('limit=1000')).lines.map(({ id }) => id)
    const seen: string[] = []
    let query = 'limit=3'
    for (;;) {
      const page = await read(query)
      seen.push(...page.lines.map(({ id }) => id))
      if (!page.mayLoadMore) break
      query = `limit=3&before=${page.before}`
    }
    assert.deepEqual(seen, all)
  })

  it('is filtered by severity and by text', async () => {
    const warned = await read('severity=warning')
    assert.ok(warned.lines.length > 0)
    assert.ok(warned.lines.every(({ severity }) => severity === 'warning'))
    const found = await read('text=LESS%20THAN%20A%20SECOND')
    assert.ok(found.lines.length > 0)
    assert.ok(found.lines.every(({ code }) => code === 'timestamps_too_close'))
  })

  const wrong = ['limit=0', 'limit=1001', 'before=x', 'type=noise', 'severity=loud', 'colour=red']
  for (const query of wrong) {
    it(`refuses a query with ${query}`, async () => {
      const response = await fetch(`${base}?${query}`, { headers: as })
      assert.equal(response.status, 400)
      const { code } = (await response.json()) as { code: string }
      assert.equal(code, 'invalid_argument')
    })
  }

  it('is for who has the permission Setup, of the business whose connector it is', async () => {
    assert.equal((await fetch(base)).status, 401)
    const { accounts } = millrace.platform
    const viewer = await accounts.createToken(millrace.businessId, { name: 'v', role: 'Viewer' })
    const asViewer = { headers: { Authorization: `Automation ${viewer.token}` } }
    assert.equal((await fetch(base, asViewer)).status, 403)
    const other = await accounts.createBusiness({ name: 'Other' })
    const otherToken = await accounts.createToken(other.id, { name: 's', role: 'Administrator' })
    const asOther = { headers: { Authorization: `Automation ${otherToken.token}` } }
    assert.equal((await fetch(base, asOther)).status, 404)
  })

  describe('live, as server-sent events', () => {
    const readers: EventReader[] = []
    after(() => {
      for (const reader of readers) reader.close()
    })
    async function follow(query = '', headers: Record<string, string> = {}) {
      const reader = await readEvents(`${base}?${query}`, { ...as, ...headers })
      readers.push(reader)
      return reader
    }
    const says = (message: string) => (event: ServerEvent) =>
      (event.data as Line).message === message

    it('shows a write and a refusal soon after they happened', async () => {
      forget()
      const reader = await follow()
      assert.equal(reader.status, 200)
      await device.write('a=live')
      await device.write('temperature=cold')
      const written = await reader.until(says('Wrote a=live.'))
      assert.equal(written.event, 'line')
      const line = written.data as Line
      assert.equal(line.id, written.id)
      assert.equal(line.type, 'write')
      const isRefusal = ({ data }: ServerEvent) => (data as Line).code === 'value_refused'
      await reader.until(isRefusal)
      assert.equal(reader.events.filter(says('Wrote a=live.')).length, 1)
    })

    it('shows what the filter lets through, and nothing else', async () => {
      const reader = await follow('identity=other&type=write')
      const other = await newDevice(millrace.httpUrl, millrace.connector.id, 'other')
      await device.write('a=hidden')
      await other.write('a=shown')
      await reader.until(says('Wrote a=shown.'))
      assert.deepEqual(
        reader.events.map(({ data }) => (data as Line).identity),
        ['other'],
      )
    })

    it('goes on behind Last-Event-ID, with what became visible late before it', async () => {
      const { eventlog } = millrace.platform
      const { businessId, connector, clock } = millrace
      await device.write('a=known')
      const [known] = (await read('type=write&limit=1')).lines
      const entry = { businessId, connectorId: connector.id, identity: 'late' }
      const payload = [{ timestamp: 1, values: { a: 'late' } }]
      const body = { ip: '', protocol: 'http', payload }
      const late = (ms: number) => ({
        ...entry,
        kind: 'write' as const,
        at: clock.nowUs() - ms * 1_000,
        body,
      })
      await eventlog.append(late(limits.tailOverlapMs * 2))
      await eventlog.append(late(limits.tailOverlapMs / 2))
      await device.write('a=next')
      const reader = await follow('type=write', { 'Last-Event-ID': known?.id ?? '' })
      await reader.until(says('Wrote a=next.'))
      const told = reader.events.map(({ data }) => data as Line)
      assert.equal(told.filter(({ identity }) => identity === 'late').length, 1)
      assert.equal(told.filter(({ id }) => id === known?.id).length, 0)
    })

    it('goes on behind Last-Event-ID, without the line itself', async () => {
      // Lines of the moments before may come again.
      millrace.clock.advance(2 * limits.tailOverlapMs)
      await device.write('a=first')
      await device.write('a=second')
      const [second, first] = (await read('type=write&limit=2')).lines
      assert.equal(first?.message, 'Wrote a=first.')
      const reader = await follow('type=write', { 'Last-Event-ID': first?.id ?? '' })
      await reader.until(says('Wrote a=second.'))
      assert.equal(reader.events[0]?.id, second?.id)
    })

    it('reports that it alone is not the whole of a busy log', async () => {
      const { eventlog } = millrace.platform
      const { businessId, connector, clock } = millrace
      const [last] = (await read('limit=1')).lines
      const count = limits.tailPageMax + 10
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
      const reader = await follow('', { 'Last-Event-ID': last?.id ?? '' })
      const skipped = await reader.until(({ data }) => (data as Line).code === 'lines_skipped')
      assert.equal((skipped.data as Line).type, 'log')
    })

    it('closes a reader that does not read, and logs it', async (t) => {
      const { eventlog } = millrace.platform
      const { businessId, connector, clock } = millrace
      const { hostname, port, pathname } = new URL(base)
      const socket = connect(Number(port), hostname).pause()
      t.after(() => socket.destroy())
      socket.on('error', () => {})
      const head = [`GET ${pathname} HTTP/1.1`, 'Host: localhost', 'Accept: text/event-stream']
      socket.write(`${head.join('\r\n')}\r\nAuthorization: ${as.Authorization}\r\n\r\n`)
      const values = { a: 'x'.repeat(limits.lineBodyBytesMax - 200) }
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
        said = (await read('type=log&limit=1')).lines[0]?.code
      }
      assert.equal(said, 'slow_reader')
    })

    it('ends when the session ends', async () => {
      const { accounts } = millrace.platform
      const { token, expiresAt } = await accounts.signIn(
        millrace.account.email,
        millrace.account.password,
      )
      assert.ok(expiresAt > 0)
      const reader = await readEvents(base, { Authorization: `token ${token}` })
      readers.push(reader)
      assert.equal(reader.status, 200)
      await accounts.signOut(token)
      await reader.ended()
      assert.deepEqual(reader.events.at(-1), {
        event: 'end',
        data: { code: 'unknown_credential' },
      })
    })

    it('ends when the API token is revoked', async () => {
      const { accounts } = millrace.platform
      const { id, token } = await accounts.createToken(millrace.businessId, {
        name: 'live',
        role: 'Administrator',
      })
      const reader = await readEvents(base, { Authorization: `Automation ${token}` })
      readers.push(reader)
      await accounts.revokeToken(millrace.businessId, id)
      await reader.ended()
      assert.equal(reader.events.at(-1)?.event, 'end')
    })
  })
})

describe('a live view of a log, when the server closes', () => {
  it('ends, and does not keep the server from closing', async () => {
    const ends: (() => unknown)[] = []
    const context = { after: (end: unknown) => void ends.push(end as () => unknown) }
    // Nothing is cut: the stop waits for what is open, however long that takes.
    const millrace = await testPlatform(context, { times: { shutdownMs: 2 ** 31 - 1 } })
    const base = `${millrace.httpUrl}/api:1/service/${millrace.connector.id}/device2/logs`
    const reader = await readEvents(base, { Authorization: `Automation ${millrace.token}` })
    for (const end of ends) await end()
    await reader.ended()
    assert.deepEqual(reader.events.at(-1)?.data, { code: 'server_closed' })
  })
})
