import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { type NotificationFixture, notificationFixture } from '../../../fixtures/notification.ts'
import { assertFault } from '../../../fixtures/solutions.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'

let fixture: NotificationFixture
const onInstance = sharedBySuites(async (suite) => {
  fixture = await notificationFixture(suite)
})

/** The id of an action that calls the solution. */
async function addAction(): Promise<string> {
  const { platform, businessId } = fixture.millrace
  const view = wholeView(businessId)
  const signals = [{ name: 'Level', primitiveType: 'NUMERIC' as const }]
  const { id: assetId } = await platform.assets.create(view, { name: 'Tank', signals })
  const [signal] = await platform.assets.signals.ofAssets(view, [assetId])
  const link = (functionId: string, constants: object, signalId = '') =>
    platform.pipelines.links.create(view, {
      assetId,
      moduleId: 'builtin',
      functionId,
      name: functionId,
      constants: constants as never,
      inlets: [{ signalId }],
    })
  const rule = await link('threshold', { warning: 20 }, signal?.id)
  return (await link('call_solution', { solution: 'pump' }, rule.outlets[0])).id
}

describe('the deletion of a solution', () => {
  onInstance()

  it('names users, bindings and keys that go, and actions that stay', async () => {
    const { ask, bind, run, millrace } = fixture
    const user = '{name = "Eva", email = "eva@example.com", password = "a long phrase"}'
    await run('pump', `User.createUser${user} Keystore.set{key = "a", value = 1}`)
    await bind('apn')
    const action = await addAction()
    const { status, json } = await ask('GET', '/solution/pump/dependants')
    assert.equal(status, 200, JSON.stringify(json))
    type Shown = { kind: string; effect: string; count: number; names: string[] }
    const shown = (json.dependants as Shown[]).map(({ kind, effect, count, names }) => {
      return [kind, effect, count, names.join()].join(' ')
    })
    assert.deepEqual(shown.sort(), [
      'bindings deleted 1 ',
      'keys deleted 1 ',
      'links kept 1 call_solution',
      'service_users deleted 1 eva@example.com',
    ])
    const refused = await ask('DELETE', '/solution/pump')
    assertFault(refused, 'in_use', /eva@example\.com.*1 bindings.*Pump/)
    assertFault(await ask('DELETE', '/solution/pump?confirm=other'), 'invalid_argument')
    assert.equal((await ask('DELETE', '/solution/pump?confirm=pump')).status, 204)
    const { platform, businessId } = millrace
    const rows = await platform.database.rows(
      `select solution_id from user_account where solution_id = 'pump'
       union all select solution_id from notification_binding where solution_id = 'pump'
       union all select solution_id from keystore_entry where solution_id = 'pump'`,
    )
    assert.deepEqual(rows, [])
    const link = await platform.pipelines.links.get(wholeView(businessId), action)
    assert.equal(link.functionId, 'call_solution')
  })
})
