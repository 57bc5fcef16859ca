import { strict as assert } from 'node:assert'
import { before, describe, it } from 'node:test'
import { type TestPlatform, testPlatform, unique } from '../../../fixtures/platform.ts'
import { suiteContext } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

describe('preferences of a user', () => {
  const suite = suiteContext()
  let instance: TestPlatform
  let viewer = ''
  const email = `${unique('ada')}@example.com`

  before(async () => {
    instance = await testPlatform(suite)
    const user = { email, password: 'a long phrase' }
    const { accounts } = instance.platform
    await accounts.createUser(instance.businessId, { ...user, role: 'Viewer' })
    viewer = `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}`
  })

  const call = (as: string, units?: object) =>
    askJson(`${instance.httpUrl}/api:1/preferences`, {
      as,
      ...(units !== undefined && { method: 'PATCH', body: { units } }),
    })

  it('are kept for the user alone, by type of data', async () => {
    assert.deepEqual((await call(viewer)).json, { units: {} })
    const changed = await call(viewer, { TEMPERATURE: 'us', SOUND_LEVEL: 'metric' })
    const units = { FIELD_LEVEL: 'metric', TEMPERATURE: 'us' }
    assert.deepEqual([changed.status, changed.json], [200, { units }])
    assert.deepEqual((await call(viewer)).json, { units })
    assert.deepEqual((await call(instance.basic)).json, { units: {} })
    const part = await call(viewer, { FIELD_LEVEL: null, TEMPERATURE: 'metric' })
    assert.deepEqual(part.json, { units: { TEMPERATURE: 'metric' } })
  })

  it('are refused for an unknown type or unknown units, and nothing changes', async () => {
    const { json: kept } = await call(viewer)
    const refused = [
      [{ PRESSURE: 'us', WARMTH: 'us' }, 'units.WARMTH is not a data type of the catalogue'],
      [{ PRESSURE: 'us', LENGTH: 'imperial' }, 'units.LENGTH must be one of metric, us'],
      [{ PRESSURE: 'us', '': 'us' }, 'units. is not a data type of the catalogue'],
      [{ 'line\nbreak': 'us' }, 'units.line\nbreak is not a data type of the catalogue'],
    ] as const
    for (const [units, message] of refused) {
      const { status, json } = await call(viewer, units)
      assert.deepEqual([status, json.code, json.message], [400, 'invalid_argument', message])
    }
    assert.deepEqual((await call(viewer)).json, kept)
  })

  it('are of users only, and end with them', async () => {
    const { accounts, database } = instance.platform
    const made = { name: 'ci', role: 'Viewer' }
    const { token } = await accounts.createToken(instance.businessId, made)
    for (const units of [undefined, { TEMPERATURE: 'us' }]) {
      const { status, json } = await call(`Automation ${token}`, units)
      assert.deepEqual([status, json.code], [403, 'forbidden'])
    }
    await call(viewer, { TEMPERATURE: 'us' })
    const kept = 'select * from accounts_preferred_units where business_id = $1'
    const user = await accounts.findUser(instance.businessId, { email })
    await accounts.removeUser(instance.businessId, user?.id ?? '')
    assert.deepEqual(await database.rows(kept, [instance.businessId]), [])
  })
})
