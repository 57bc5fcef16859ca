import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { until } from '../../../fixtures/interface.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'
import { readEvents } from '../../../fixtures/wire/sse.ts'

type Line = Readonly<Record<string, unknown>> & { readonly text?: string }
type Failed = Readonly<Record<string, unknown>>

let fixture: SolutionsFixture
let device: TestDevice
const onFixture = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
  const { connector, httpUrl } = fixture.millrace
  assertStatus(await fixture.pump('POST', '/serviceconfig', { service: connector.id }), 201)
  device = await newDevice(httpUrl, connector.id, 'pump-1')
})
const onInstance = () => {
  onFixture()
  beforeEach(async () => assertStatus(await fixture.pump('DELETE', '/failures'), 200))
}
const push = async (files: Readonly<Record<string, string>>) =>
  assertStatus(await fixture.push(files), 200)
const lines = async (query = ''): Promise<Line[]> =>
  (await fixture.pump('GET', `/logs${query}`)).json.lines
/** Its connects are not what a test is about. */
const writes = 'if event.type ~= "data_in" then return end'
// A connection that ends for a pause of the test makes events of its own, which fail as well.
const writesIn = (failures: readonly Failed[]) =>
  failures.filter(({ argument }) => (argument as { type?: string }).type === 'data_in')
const failures = async (query = ''): Promise<Failed[]> =>
  writesIn((await fixture.pump('GET', `/failures${query}`)).json.failures)
const said = (text: string) =>
  until(
    () => lines(`?text=${encodeURIComponent(text)}&type=log`),
    (found) => found.length > 0,
  )

describe('a solution at work, as its operators see it', () => {
  onInstance()

  it("handles its devices' events, in files of every kind", async () => {
    await push({
      'device2_event.lua': [
        writes,
        'local units = require("lib.units")',
        'log.info(event.identity .. " " .. event.payload[1].values.temperature .. units.celsius)',
        'note(event.type)',
      ].join('\n'),
      'modules/lib/units.lua': 'return { celsius = "C" }',
      'setup.lua': 'function note(text) print("noted " .. text) end',
    })
    assert.equal((await device.write('temperature=21.5')).status, 204)
    const [line] = await said('pump-1 21.5C')
    const { id: _, timestamp, tracking_id: trackingId, ...rest }: Line = line ?? {}
    assert.equal(typeof timestamp, 'number')
    assert.deepEqual(rest, {
      type: 'log',
      level: 'info',
      service: 'device2',
      handler: 'handle_device2_event',
      text: 'pump-1 21.5C',
    })
    await said('noted data_in')
    const ofCall = await until(
      () => lines(`?tracking_id=${trackingId}`),
      (found) => found.some(({ type }) => type === 'call'),
    )
    assert.deepEqual(ofCall.map(({ type }) => type).sort(), ['call', 'log', 'log'])
  })

  it('runs a plain file that itself defines its handlers, as in the field', async () => {
    await push({
      'all.lua': 'function handle_device2_event(event) print("plain " .. event.identity) end',
    })
    await device.write('temperature=1')
    await said('plain pump-1')
    // Named as the handler, it is the same.
    await push({
      'device2_event.lua': 'function handle_device2_event(e) print("named " .. e.identity) end',
    })
    await device.write('temperature=2')
    await said('named pump-1')
  })

  it("keeps the numbers of a file's lines in its errors", async () => {
    await push({
      'all.lua': '--#EVENT timer tick\nreturn 1\n--#EVENT device2 event\n\nerror("line five")\n',
    })
    await device.write('temperature=3')
    const [failed] = await until(failures, (found) => found.length === 1)
    const { error } = failed as unknown as { error: { error: string } }
    assert.match(error.error, /all\.lua:5: line five/)
  })

  it('shows its log page by page, filtered by level and type', async () => {
    await push({ 'device2_event.lua': 'log.debug("one") log.warn("three") log.error("four")' })
    await device.write('temperature=4')
    await said('four')
    const texts = (await lines('?level=warn,error&type=log&limit=2')).map(({ text }) => text)
    assert.deepEqual(texts, ['four', 'three'])
    const first = (await fixture.pump('GET', '/logs?limit=1&type=log')).json
    assert.equal(first.mayLoadMore, true)
    const second = (await fixture.pump('GET', `/logs?limit=1&type=log&before=${first.before}`)).json
    assert.notEqual(second.lines[0].id, first.lines[0].id)
    for (const query of ['before=x', 'level=loud', 'type=x']) {
      assertFault(await fixture.pump('GET', `/logs?${query}`), 'invalid_argument')
    }
  })

  it('shows what comes to its log, live', async (t) => {
    await push({
      'device2_event.lua': `${writes} log.warn("live " .. event.payload[1].values.temperature)`,
    })
    const { httpUrl, token } = fixture.millrace
    const url = `${httpUrl}/api:1/solution/pump/logs?level=warn`
    const reader = await readEvents(url, { Authorization: `Automation ${token}` })
    t.after(reader.close)
    assert.equal(reader.status, 200)
    await device.write('temperature=5')
    const { id, data } = await reader.until(({ data }) => (data as Line).text === 'live 5')
    assert.equal((data as Line).id, id)
    assert.ok(reader.events.every(({ data }) => (data as Line).level === 'warn'))
  })
})

describe('the failures of a solution, as its operators see them', () => {
  onInstance()

  it('stores what it failed to handle, to be corrected and handled again', async () => {
    await push({
      'device2_event.lua':
        `${writes} if not event.mended then error("broken") end ` +
        'print("mended " .. event.mended)',
    })
    await device.write('temperature=6')
    const [failed] = await until(failures, (found) => found.length === 1)
    const { id = '', argument, error, ...rest }: Failed = failed ?? {}
    assert.deepEqual(
      { service: rest.service, event: rest.event, tries: rest.tries },
      { service: 'device2', event: 'event', tries: 1 },
    )
    assert.match((error as { error: string }).error, /^device2_event\.lua:1: broken/)
    const given = argument as { identity: string; payload: object[] }
    assert.equal(given.identity, 'pump-1')
    assert.deepEqual((await fixture.pump('GET', `/failures/${id}`)).json, failed)

    // Handed over as it was, it fails again.
    assertStatus(await fixture.pump('POST', `/failures/${id}/retry`), 204)
    const [again] = await until(failures, (found) => found.length === 1)
    const mended = { argument: { ...given, mended: 'well' } }
    assertStatus(await fixture.pump('POST', `/failures/${again?.id}/retry`, mended), 204)
    await said('mended well')
    assert.deepEqual(await failures(), [])
    assertFault(await fixture.pump('POST', `/failures/${id}/retry`), 'not_found')
  })

  it('are read page by page, and discarded or retried, one or all, on request', async () => {
    await push({ 'device2_event.lua': `${writes} error("gone")` })
    for (const value of [1, 2, 3, 4]) await device.write(`temperature=${value}`)
    const found = await until(failures, (some) => some.length === 4)
    const page = (await fixture.pump('GET', '/failures?limit=3')).json
    assert.equal(page.mayLoadMore, true)
    assert.equal((await failures(`?limit=3&before=${page.before}`)).length, 1)
    assertStatus(await fixture.pump('DELETE', `/failures/${found[0]?.id}`), 204)
    assertFault(await fixture.pump('GET', `/failures/${found[0]?.id}`), 'not_found')
    await push({ 'device2_event.lua': 'print("mended")' })
    assert.deepEqual((await fixture.pump('POST', '/failures/retry')).json, { retried: 3 })
    await until(failures, (some) => some.length === 0)
    assert.deepEqual((await fixture.pump('DELETE', '/failures')).json, { discarded: 0 })
  })

  it('refuses what is wrong with a question about failures', async () => {
    for (const query of ['before=x', 'before=1.%00']) {
      assertFault(await fixture.pump('GET', `/failures?${query}`), 'invalid_argument')
    }
    for (const id of ['nothing', '%00', 'A-b']) {
      assertFault(await fixture.pump('GET', `/failures/${id}`), 'not_found')
      assertFault(await fixture.pump('POST', `/failures/${id}/retry`), 'not_found')
      assertFault(await fixture.pump('DELETE', `/failures/${id}`), 'not_found')
    }
    assertFault(await fixture.pump('POST', '/failures/x/retry', '[]'), 'malformed_request')
  })

  it('are gone with it, when it is removed while it fails', async () => {
    await push({ 'device2_event.lua': `${writes} error("last")` })
    await device.write('temperature=11')
    await until(failures, (found) => found.length === 1)
    assertStatus(await fixture.pump('DELETE', '?confirm=Pump'), 204)
    assertStatus(await fixture.ask('POST', '/solution', { id: 'pump', name: 'Again' }), 201)
    assert.deepEqual(await failures(), [])
    assert.equal((await device.write('temperature=12')).status, 204)
  })
})
