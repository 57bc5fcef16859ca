import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { endpointsFixture } from '../../../../fixtures/endpoints.ts'
import { until } from '../../../../fixtures/interface.ts'
import { assertStatus } from '../../../../fixtures/solutions.ts'
import { sharedFixture } from '../../../../fixtures/suite.ts'

const [fixture, onInstance] = sharedFixture((suite) => endpointsFixture(suite))

const resource = (sync: boolean) => `{ format: string, settable: true, sync: ${sync} }`

/** A connector whose devices another cloud calls about. */
const cloud = {
  'services/device2.yaml': `resources:
  config_io: ${resource(false)}
  data_in: ${resource(false)}
  command: ${resource(true)}
`,
  'endpoints/callback.lua': `--#ENDPOINT POST /c2c/callback
local identity, body = request.body.serial, request.body
Device2.addIdentity{identity = identity}
local channels = {["001"] = {display_name = "Level", properties = {data_type = "NUMBER"}}}
return Device2.setIdentityState{
  identity = identity,
  config_io = to_json({last_edited = 1, channels = channels}),
  data_in = to_json({["001"] = body.level}),
  command = "noted",
}
`,
  'device2_event.lua': 'print(event.type)',
}

const headers = { 'Content-Type': 'application/json' }

describe('a connector of another cloud', () => {
  onInstance()

  it('feeds assets by what its callback sets', async () => {
    const { ask, businessId, get, lines, millrace, pump, push } = fixture
    assertStatus(await push(cloud), 200)
    const { items } = (await pump('GET', '/serviceconfig')).json
    const connectorId = items[0].service
    const call = async (level: number) => {
      const body = JSON.stringify({ serial: '0011', level })
      const answer = await get('/c2c/callback', { method: 'POST', headers, body })
      assert.deepEqual([answer.status, answer.json.error], [200, undefined], answer.text)
    }
    const { assets, pipelines, scripting } = millrace.platform
    const view = wholeView(businessId)
    const device = { connectorId, identity: '0011' }
    const asset = await assets.create(view, { name: 'Tank', device })
    await call(3)
    await pipelines.caughtUp()
    await call(4.5)
    const [signal] = await assets.signals.ofAssets(view, [asset.id])
    assert.equal(signal?.name, 'Level')
    const history = await until(
      () => assets.history(view, signal.id),
      ({ length }) => length === 2,
    )
    assert.deepEqual(
      history.map(({ value }) => value),
      [4.5, 3],
    )
    const { state } = (await ask('GET', `/service/${connectorId}/device2/identity/0011`)).json
    assert.deepEqual([state.data_in.reported, state.command.reported], ['{"001":4.5}', null])
    const { steps } = (await ask('GET', `/trace?signal=${signal.id}`)).json
    assert.equal(steps[0].identity, '0011')
    await scripting.caughtUp()
    const seen = (await lines()).filter((text) => /^data_/.test(text))
    assert.ok(
      seen.every((text) => text === 'data_out'),
      'no data_in for its own scripts',
    )
    assert.ok(seen.length > 0)
  })
})
