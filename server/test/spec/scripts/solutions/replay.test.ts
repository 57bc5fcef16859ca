import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptingLimits } from '../../../../src/scripts/scripting/index.ts'
import { setLimits } from '../../../fixtures/bounds.ts'
import { until } from '../../../fixtures/interface.ts'
import type { Tree } from '../../../fixtures/projects/trees.ts'
import {
  assertFault,
  assertStatus,
  type SolutionsFixture,
  solutionsFixture,
  toFiles,
} from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { newDevice, type TestDevice } from '../../../fixtures/wire/device.ts'

const live = [
  'if event.type ~= "data_in" then return end',
  'local level = tonumber(event.payload[1].values.temperature)',
  'local before = Keystore.get({key = "last"}).value',
  'if level > 20 then Keystore.set({key = "alarm", value = level}) end',
  'log.info("level " .. level)',
].join('\n')
const changed = live.replace('level > 20', 'level > 30')

let fixture: SolutionsFixture
let device: TestDevice
/** When the events of the begin were there. The end of a connection is one that comes late. */
let settledUs: number
const from = Date.now() * 1_000 - 60_000_000
const onInstance = sharedBySuites(async (suite) => {
  fixture = await solutionsFixture(suite)
  const { connector, httpUrl } = fixture.millrace
  assertStatus(await fixture.pump('POST', '/serviceconfig', { service: connector.id }), 201)
  assertStatus(await fixture.push({ 'device2_event.lua': live }), 200)
  device = await newDevice(httpUrl, connector.id, 'pump-1')
  for (const level of [10, 25, 35]) {
    assert.equal((await device.write(`temperature=${level}`)).status, 204)
  }
  await until(
    async () => (await fixture.pump('GET', '/logs?text=level')).json.lines,
    (lines) => lines.length === 3,
  )
  settledUs = Date.now() * 1_000
})

const to = () => Date.now() * 1_000 + 1_000_000
const replay = (files?: Tree, body: object = {}) =>
  fixture.pump('POST', '/replay', {
    from,
    to: to(),
    ...(files && { files: toFiles(files) }),
    ...body,
  })
type Shown = { readonly type: string; readonly live: Run | null; readonly changed: Run }
type Run = { readonly outcome: string; readonly error: string | null } & {
  readonly calls: readonly { readonly operation: string; readonly made: boolean }[]
  readonly logs: readonly { readonly text: string }[]
}
const pickWrites = (shown: readonly Shown[]) => shown.filter(({ type }) => type === 'data_in')

describe('a replay of a solution', () => {
  onInstance()

  it('shows the events with which changed scripts do something else', async () => {
    const { status, json } = await replay({ 'device2_event.lua': changed })
    assert.equal(status, 200, JSON.stringify(json))
    assert.equal(json.differing, 1)
    assert.deepEqual(
      json.shown[0].live.calls.map(
        ({ operation, args, made }: Run['calls'][number] & { args: object }) => [
          operation,
          args,
          made,
        ],
      ),
      [
        ['get', { key: 'last' }, true],
        ['set', { key: 'alarm', value: 25 }, false],
      ],
    )
    assert.deepEqual(
      json.shown[0].changed.calls.map(({ operation }: Run['calls'][number]) => operation),
      ['get'],
    )
    assert.deepEqual([json.live.writes, json.changed.writes], [2, 1])
    assert.equal(json.shown[0].identity, 'pump-1')
  })

  it('makes no call that writes, and stores and logs nothing', async () => {
    const lines = async () => (await fixture.pump('GET', '/logs')).json.lines
    const before = await lines()
    const script =
      'Keystore.set({key = "never", value = 1}) ' +
      'Timer.sendAfter({message = "x", duration = 1}) Device2.removeIdentity({identity = "pump-1"})'
    const { json } = await replay({ 'device2_event.lua': script })
    const [first] = pickWrites(json.shown)
    assert.deepEqual(
      first?.changed.calls.map(({ made }) => made),
      [false, false, false],
    )
    assert.deepEqual(await lines(), before)
    const get = 'log.info(to_json(Keystore.get({key = "never"})))'
    const read = pickWrites((await replay({ 'device2_event.lua': get })).json.shown)
    assert.equal(read[0]?.changed.logs[0]?.text, '{}')
    assert.equal((await device.write('temperature=1')).status, 204)
  })

  it('has the clock of the event, and gives equal bytes again', async () => {
    const script =
      'log.info(os.time() .. " " .. math.random(1e6) .. " " .. os.date("%Y"))' +
      ' log.info(os.time() == math.floor(event.timestamp / 1e6))'
    const range = { to: settledUs }
    const [one, other] = [
      await replay({ 'device2_event.lua': script }, range),
      await replay({ 'device2_event.lua': script }, range),
    ]
    assert.deepEqual(one, other)
    const [first] = pickWrites(one.json.shown)
    assert.equal(first?.changed.logs[1]?.text, 'true')
  })

  it('without a folder shows what the scripts do as they are', async () => {
    const { json } = await replay()
    const writes = pickWrites(json.shown)
    assert.equal(json.live, null)
    assert.ok(writes.every((one) => one.live === null && one.changed.outcome === 'returned'))
    assert.equal(writes[0]?.changed.logs[0]?.text, 'level 10')
  })

  it('keeps globals from event to event, as the scripts do at work', async () => {
    const script = 'count = (count or 0) + 1 if event.type == "data_in" then log.info(count) end'
    const { json } = await replay({ 'device2_event.lua': script })
    const counts = pickWrites(json.shown).map(({ changed: run }) => Number(run.logs[0]?.text))
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
    assert.ok(new Set(counts).size === counts.length)
  })
})

describe('what fails in a replay', () => {
  onInstance()

  it('is a difference: an error, a handler that is stopped, a handler that is gone', async () => {
    const failing = await replay({ 'device2_event.lua': 'error("broken")' })
    assert.match(pickWrites(failing.json.shown)[0]?.changed.error ?? '', /broken/)
    const spinning = await replay({
      'device2_event.lua': `if event.type == "data_in" then while true do end end`,
    })
    assert.equal(pickWrites(spinning.json.shown)[0]?.changed.outcome, 'stopped')
    const gone = await replay({ 'setup.lua': 'x = 1' })
    assert.equal(pickWrites(gone.json.shown)[0]?.changed.outcome, 'none')
  })

  it('is refused: scripts that cannot be compiled, with file and line', async () => {
    assertFault(await replay({ 'device2_event.lua': '\n)' }), 'script_refused', /event\.lua:2/)
  })

  it('says that services of the folder are not used', async () => {
    const service = JSON.stringify({ service: 'timer' })
    const { json } = await replay({ 'services/timer.json': service, 'device2_event.lua': live })
    assert.match(json.notes[0], /timer/)
  })
})

describe('the bounds of a replay', () => {
  onInstance()

  it('are a range, and the number of events that it takes', async (t) => {
    assertFault(await replay(undefined, { to: from }), 'invalid_argument')
    setLimits(t, { replayEventsMax: 2 }, scriptingLimits)
    assertFault(await replay(), 'invalid_argument', /2 events/)
  })

  it('are the bytes of the calls and logs that it makes', async (t) => {
    setLimits(t, { replayBytesMax: 5_000 }, scriptingLimits)
    const talks = { 'device2_event.lua': 'log.info(("x"):rep(4000))' }
    assertFault(await replay(talks), 'invalid_argument', /bytes of calls and logs/)
  })

  it('are its time', async (t) => {
    setLimits(t, { replayMsMax: 1 }, scriptingLimits)
    assertFault(await replay(), 'time_exceeded')
  })
})
