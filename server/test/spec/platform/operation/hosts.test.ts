import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { createHosts, hostLimits } from '../../../../src/devices/hosts/index.ts'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import {
  askEndpoint,
  type EndpointsFixture,
  endpointsFixture,
} from '../../../fixtures/endpoints.ts'
import { until } from '../../../fixtures/engine.ts'
import { freeLabel, giveLabel } from '../../../fixtures/hosts.ts'
import { type InterfaceFixture, interfaceFixture, plain } from '../../../fixtures/interface.ts'
import type { OwnPlatform } from '../../../fixtures/platform.ts'
import {
  type Answered,
  assertFault,
  assertStatus,
  type SolutionsFixture,
} from '../../../fixtures/solutions.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { rawClient } from '../../../fixtures/wire/raw.ts'
import { handshakeText } from '../../../fixtures/wire/raw-sockets.ts'

type OtherOwner = Awaited<ReturnType<EndpointsFixture['otherOwner']>>

const everything = `--#ENDPOINT GET /{rest*}
return "ANOTHER " .. to_json(request)
--#ENDPOINT POST /{rest*}
return "ANOTHER " .. to_json(request)
--#ENDPOINT WEBSOCKET /socket
return "ANOTHER"
`

function makers(fixture: SolutionsFixture, token?: string) {
  return {
    solution: (id: string) => fixture.ask('POST', '/solution', { id, name: 'x' }, token),
    connector: (id: string) => {
      return fixture.ask('POST', '/connectors', { id, name: 'x' }, token)
    },
  }
}

describe('the label of a host', () => {
  const suite = suiteContext()
  let fixture: EndpointsFixture<OwnPlatform>
  let other: OtherOwner
  before(async () => {
    fixture = await endpointsFixture(suite, {
      own: 'reserves labels',
      config: { reservedLabels: ['shop'] },
    })
    other = await fixture.otherOwner()
  })

  it('is taken once, by a connector or a solution, and the error discloses nothing', async () => {
    const own = makers(fixture)
    const theirs = makers(fixture, other.token)
    assertStatus(await own.connector('conna'), 201)
    assertStatus(await own.solution('sola'), 201)
    const refusals: Answered[] = []
    for (const id of ['conna', 'sola', 'www', 'notify', 'api', 'm2', 'localhost', 'shop']) {
      for (const make of [own.connector, own.solution, theirs.connector, theirs.solution]) {
        refusals.push(await make(id))
      }
    }
    for (const refusal of refusals) assertFault(refusal, 'already_exists', /in use already/)
    assert.equal(new Set(refusals.map(({ json }) => JSON.stringify(json))).size, 1)
  })

  it('goes to one of those that request it at once', async () => {
    const own = makers(fixture)
    const theirs = makers(fixture, other.token)
    const all = [own.connector, theirs.solution, own.solution, theirs.connector]
    const answers = await Promise.all([...all, ...all].map((make) => make('wanted')))
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, 1)
    for (const answer of answers) {
      if (answer.status !== 201) assertFault(answer, 'already_exists')
    }
  })

  it('decides which names get a certificate', async () => {
    const tls = { ca: await readFile(fixture.millrace.caFile) }
    const ask = (host: string) => askEndpoint(fixture.millrace.tlsUrl, '/timestamp', { host, tls })
    for (const host of ['conna.localhost', 'sola.localhost', 'notify.localhost', 'localhost']) {
      assert.equal((await ask(host)).status, 200, host)
    }
    assertStatus(await makers(fixture).solution('ended'), 201)
    assertStatus(await fixture.ask('DELETE', '/solution/ended?confirm=ended'), 204)
    for (const label of ['nobody', 'www', 'ended', 'a.conna']) {
      const refused = { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }
      await assert.rejects(ask(`${label}.localhost`), refused, label)
    }
  })

  it('stays its own business’s for a time after a solution is removed', async () => {
    const own = makers(fixture)
    const theirs = makers(fixture, other.token)
    assertStatus(await own.solution('brief'), 201)
    assertStatus(await fixture.ask('DELETE', '/solution/brief?confirm=brief'), 204)
    for (const make of [theirs.solution, theirs.connector]) {
      assertFault(await make('brief'), 'already_exists', /^The id is in use already\.$/)
    }
    assertStatus(await own.solution('brief'), 201)
    assertStatus(await fixture.ask('DELETE', '/solution/brief?confirm=brief'), 204)
    fixture.millrace.clock.advance(limits.hostLabelKeptMs - 60_000)
    assertFault(await theirs.connector('brief'), 'already_exists')
    fixture.millrace.clock.advance(60_000)
    assertStatus(await theirs.connector('brief'), 201)
  })

  it('that a connector releases stays its business’s for the reserved time', async () => {
    const { platform, clock, businessId } = fixture.millrace
    const { database, hosts } = platform
    const host = { label: 'gone', kind: 'connector', businessId } as const
    await database.transaction((transaction) => hosts.take(transaction, host))
    assert.equal(await hosts.findKind('gone'), 'connector')
    const untilUs = clock.nowUs() + 60_000_000
    await database.transaction((transaction) => hosts.release(transaction, host, untilUs))
    hosts.forget('gone')
    assert.equal(await hosts.findKind('gone'), undefined)
    const { solution } = makers(fixture, other.token)
    assertFault(await solution('gone'), 'already_exists')
    clock.advance(60_000)
    assertStatus(await solution('gone'), 201)
    // A host that the releasing solution does not hold stays as it is.
    await database.transaction((transaction) => hosts.release(transaction, host))
    hosts.forget('gone')
    assert.equal(await hosts.findKind('gone'), 'solution')
  })

  it('is reserved for so many removed ones of a business; then the oldest are free', async () => {
    const { database, hosts } = fixture.millrace.platform
    await database.run(
      `insert into hosts_label (label, kind, business_id, taken_at, retained_until)
       select 'old' || n, 'solution', 'many', 1, 9000000000000000 + n
       from generate_series(1, $1::int) n`,
      [hostLimits.hostLabelsKeptMax],
    )
    const host = { label: 'newest', kind: 'solution', businessId: 'many' } as const
    await database.transaction((transaction) => hosts.take(transaction, host))
    const lateUs = 9_100_000_000_000_000
    await database.transaction((transaction) => hosts.release(transaction, host, lateUs))
    const rows = await database.rows<{ label: string }>(
      "select label from hosts_label where business_id = 'many'",
    )
    const labels = new Set(rows.map(({ label }) => label))
    assert.equal(labels.size, hostLimits.hostLabelsKeptMax)
    assert.ok(!labels.has('old1') && labels.has('old2') && labels.has('newest'))
  })
})

/** Every way to write a path that some router might take for a device's, or might not. */
const paths = [
  ...['/', '/index.html', '/onep:v1/rpc/process', '/onep:v1/stack/alias/', '/vendor:v1/stack'],
  ...['/provision/activate/', '/provision/Activate', '/PROVISION/ACTIVATE', '//provision/activate'],
  ...['/provision//activate', '/./provision/activate', '/x/../provision/activate'],
  ...['/provision/%61ctivate', '/provision%2Factivate', '/provision/activate%00', '/timestamp/'],
  ...['/provision/activate;x', '/provision/activate.', '/%2e/timestamp', '/vendor%3av1/stack/x'],
  ...['/solution/conna/', '/solution/conna/x', '/v1/Services', '/api/graphql', '/api:1/solution'],
  ...['http://conna.localhost/x', 'http://localhost/solution/conna/x', '*'],
]

describe('a solution that has the id of another business’s connector', () => {
  const suite = suiteContext()
  let fixture: EndpointsFixture<OwnPlatform>
  let other: OtherOwner
  before(async () => {
    fixture = await endpointsFixture(suite, { own: 'moves the clock of a server of TLS' })
    other = await fixture.otherOwner()
    const { platform } = fixture.millrace
    const [own, theirs] = [makers(fixture), makers(fixture, other.token)]
    assertStatus(await own.connector('conna'), 201)
    await freeLabel(platform.database, 'conna')
    for (const id of ['conna', 'plain']) {
      assertStatus(await theirs.solution(id), 201)
      const files = [{ path: 'all.lua', text: everything }]
      const pushed = await fixture.ask('POST', `/solution/${id}/push`, { files }, other.token)
      assertStatus(pushed, 200)
    }
    // A solution whose label is reserved.
    await platform.database.run(
      `insert into scripting_solution (id, business_id, name, description, version, limits,
         created_at, updated_at, reuse_vm)
       select 'www', business_id, name, description, version, limits, created_at, updated_at,
         reuse_vm from scripting_solution where id = 'plain'`,
    )
    await platform.database.run(
      `insert into scripting_script (business_id, solution_id, kind, name, file, first_line,
         source, created_at, updated_at)
       select business_id, 'www', kind, name, file, first_line, source, created_at, updated_at
         from scripting_script where solution_id = 'plain'`,
    )
    await giveLabel(platform.database, 'conna', 'connector', fixture.businessId)
    await giveLabel(platform.database, 'www', 'solution', other.businessId)
    await until(async () => (await platform.hosts.findKind('conna')) === 'connector')
  })

  it('answers on no path of that host, however it is written, on either listener', async () => {
    const { httpUrl, tlsUrl, caFile } = fixture.millrace
    const ca = await readFile(caFile)
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const body = method === 'POST' ? { body: 'id=zz&password=topsecret' } : {}
        for (const host of ['conna.localhost', 'CONNA.LocalHost']) {
          const plain = await askEndpoint(httpUrl, path, { host, method, ...body })
          assert.doesNotMatch(plain.text, /ANOTHER/, `${method} ${path}`)
          assert.ok(plain.status >= 400, `${method} ${path}: ${plain.status}`)
        }
        const tls = { method, ...body, tls: { ca }, host: 'conna.localhost' }
        const secure = await askEndpoint(tlsUrl, path, tls)
        assert.doesNotMatch(secure.text, /ANOTHER/, `${method} ${path}`)
      }
    }
  })

  it('takes no websocket there', async () => {
    for (const [host, status] of [['conna', 404] as const, ['plain', 101] as const]) {
      const client = rawClient(fixture.millrace.httpUrl)
      const answer = await client.ask(handshakeText('/socket', { Host: `${host}.localhost` }))
      client.close()
      assert.equal(answer.status, status, host)
    }
  })

  it('goes on under /solution/, and others on their own hosts', async () => {
    const { httpUrl } = fixture.millrace
    const shared = await askEndpoint(httpUrl, '/solution/conna/x', { host: 'localhost' })
    assert.match(shared.text, /ANOTHER/)
    const own = await askEndpoint(httpUrl, '/provision/Activate', { host: 'plain.localhost' })
    assert.match(own.text, /ANOTHER/)
    // Routes that devices call stay theirs on every host.
    const time = await askEndpoint(httpUrl, '/timestamp', { host: 'plain.localhost' })
    assert.match(time.text, /^\d+$/)
  })

  it('and one with a label that is reserved today has no host either', async () => {
    const { httpUrl } = fixture.millrace
    const answer = await askEndpoint(httpUrl, '/x', { host: 'www.localhost' })
    assert.equal(answer.status, 404)
    const shared = await askEndpoint(httpUrl, '/solution/www/x', { host: 'localhost' })
    assert.match(shared.text, /ANOTHER/)
  })

  it('the connector answers there as before', async () => {
    const time = await askEndpoint(fixture.millrace.httpUrl, '/timestamp', {
      host: 'conna.localhost',
    })
    assert.match(time.text, /^\d+$/)
    const tls = { ca: await readFile(fixture.millrace.caFile) }
    const secure = await askEndpoint(fixture.millrace.tlsUrl, '/timestamp', {
      host: 'conna.localhost',
      tls,
    })
    assert.match(secure.text, /^\d+$/)
  })

  it('is logged at the start if its label is reserved', async () => {
    const { database, clock } = fixture.millrace.platform
    const logged: { label: string; text: string }[] = []
    const warn = (fields: { label: string }, text: string) => {
      logged.push({ label: fields.label, text })
    }
    await createHosts({ database, clock, logger: { warn }, reserved: ['plain'] }).report()
    assert.deepEqual(
      logged.map(({ label }) => label),
      ['plain', 'www'],
    )
    assert.match(logged[0]?.text ?? '', /a solution has a reserved label: it does not answer/)
  })

  it('leaves the connector its label when it is removed', async () => {
    const { platform } = fixture.millrace
    assertStatus(
      await fixture.ask('DELETE', '/solution/conna?confirm=conna', undefined, other.token),
      204,
    )
    assert.equal(await platform.hosts.findKind('conna'), 'connector')
  })
})

describe('an id that a connector and another business’s solution both got before', () => {
  const suite = suiteContext()
  let fixture: InterfaceFixture<OwnPlatform>
  let other: OtherOwner
  before(async () => {
    fixture = await interfaceFixture(suite, { movesClock: true })
    other = await fixture.otherOwner()
    await fixture.solution('sola')
    await fixture.put('sola', 'interface_ping', 'return {from = "sola"}')
    await fixture.expose('sola', {
      default_script_key: 'weather',
      whitelist: [other.businessId],
      operations: [{ name: 'ping' }],
    })
    await fixture.solution('theirs', other)
    await fixture.subscribe('theirs', 'sola', { script_key: 'before' }, other)
    await freeLabel(fixture.millrace.platform.database, 'sola')
    assertStatus(await makers(fixture, other.token).connector('sola'), 201)
  })
  const ping = (alias: string) => fixture.run('theirs', `return ${alias}.ping{}`, undefined, other)

  it('a subscription of before stays one to the solution', async () => {
    assert.deepEqual(plain(await ping('before')), { from: 'sola' })
  })

  it('names neither by itself; the script key names the solution', async () => {
    const refused = await fixture.trySubscribe('theirs', 'sola', { script_key: 'one' }, other)
    assertFault(refused, 'invalid_argument', /sola is the id of a connector .* script key/)
    await fixture.subscribe('theirs', 'weather', { script_key: 'two' }, other)
    assert.deepEqual(plain(await ping('two')), { from: 'sola' })
  })
})
