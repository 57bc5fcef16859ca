import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { type LogLine, type LogReader, logReader } from '../../../fixtures/wire/connector-log.ts'
import { activate, newDevice, send } from '../../../fixtures/wire/device.ts'

let log: LogReader
const onLog = sharedBySuites(async (suite) => {
  log = await logReader(suite)
})

describe("the connector's log, as operators read it", () => {
  onLog()

  it('logs a provision, a write and a value that was set, each once', async () => {
    await log.device.write('a=1&nobody=2')
    const { provisioning } = log.millrace.platform
    const { businessId, connector } = log.millrace
    await provisioning.setState(businessId, connector.id, 'logged', { b: 'x' })
    const { lines } = await log.read('identity=logged&type=provision,write,set')
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
    log.forget()
    for (let n = 0; n < 5; n += 1) await log.device.read('a&b')
    const first = await log.read('type=read')
    assert.deepEqual(
      first.lines.map(({ message, count }) => [message, count]),
      [['Read a, b.', 1]],
    )
    log.forget()
    const both = await log.read('type=read')
    assert.deepEqual(
      both.lines.map(({ count }) => count),
      [4, 1],
    )
  })

  it('logs when a device connects and disconnects', async () => {
    log.forget()
    await log.read()
    await log.device.write('a=2')
    let types: string[] = []
    for (let tries = 0; tries < 2_000 && types.length < 2; tries += 1) {
      const { lines } = await log.read('type=connect,disconnect&limit=2')
      types = lines.map(({ type }) => type)
    }
    assert.deepEqual(types.sort(), ['connect', 'disconnect'])
  })

  it('is read page by page with before', async () => {
    for (let n = 0; n < 7; n += 1) await log.device.write(`a=page${n}`)
    const all = (await log.read('limit=1000')).lines.map(({ id }) => id)
    const seen: string[] = []
    let query = 'limit=3'
    for (;;) {
      const page = await log.read(query)
      seen.push(...page.lines.map(({ id }) => id))
      if (!page.mayLoadMore) break
      query = `limit=3&before=${page.before}`
    }
    assert.ok(all.length > 7)
    assert.deepEqual(seen, all)
  })

  it('is filtered by severity and by text', async () => {
    log.forget()
    await log.device.write('temperature=warm')
    await log.device.record('alias=a&1500000000=1&1500000000=2')
    const warned = await log.read('severity=warning')
    assert.ok(warned.lines.length > 0)
    assert.ok(warned.lines.every(({ severity }) => severity === 'warning'))
    const found = await log.read('text=LESS%20THAN%20A%20SECOND')
    assert.ok(found.lines.length > 0)
    assert.ok(found.lines.every(({ code }) => code === 'timestamps_too_close'))
  })
})

describe("refusals in the connector's log", () => {
  onLog()

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
      () => log.device.write('temperature=warm'),
      'logged',
    ],
    [
      'an unknown credential, by the host that was called',
      'unknown_credential',
      /unknown/,
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
      () => log.device.record('alias=a&1500000000=1&1500000000=2'),
      'logged',
    ],
  ]
  for (const [what, code, message, ask, identity] of refusals) {
    it(`logs ${what}: the device gets the code, the operator the sentence`, async () => {
      log.forget()
      const answer = await ask(log.millrace.httpUrl, `${log.millrace.connector.id}.localhost`)
      assert.ok(answer.status >= 400)
      if (code !== 'timestamps_too_close') assert.equal(answer.body, code)
      let line: LogLine | undefined
      // The owner of a called host may have to be looked up after the answer.
      for (let tries = 0; tries < 2_000 && line?.code !== code; tries += 1) {
        line = (await log.read('type=refusal&limit=1')).lines[0]
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
    log.forget()
    const locked = await newDevice(log.millrace.httpUrl, log.millrace.connector.id, 'locked-one')
    const { identities } = log.millrace.platform.provisioning
    const { businessId, connector } = log.millrace
    await identities.whitelist(businessId, connector.id, 'locked-one', { locked: true })
    assert.equal((await locked.write('a=1')).status, 403)
    const [line] = (await log.read('identity=locked-one&type=refusal')).lines
    assert.equal(line?.code, 'locked')
  })

  it('is not flooded by a device that is refused in a loop', async () => {
    log.forget()
    await log.read()
    const before = (await log.read('type=refusal&limit=1000')).lines.length
    for (let n = 0; n < 60; n += 1) await log.device.write('temperature=warm')
    assert.equal((await log.read('type=refusal&limit=1000')).lines.length, before + 1)
    log.forget()
    const [line] = (await log.read('type=refusal&limit=1')).lines
    assert.equal(line?.count, 59)
  })
})

describe("a request for the connector's log that is refused", () => {
  onLog()

  for (const query of ['type=noise', 'severity=loud']) {
    it(`refuses a query with ${query}`, async () => {
      const response = await fetch(`${log.url}?${query}`, { headers: log.as })
      const { code } = (await response.json()) as { code: string }
      assert.deepEqual([response.status, code], [400, 'invalid_argument'])
    })
  }
})
