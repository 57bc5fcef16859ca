import { strict as assert } from 'node:assert'
import { describe, it } from 'node:test'
import { dashboardLimits } from '../../../../../src/insight/dashboards/index.ts'
import { wholeView } from '../../../../../src/people/groups/index.ts'
import { type TestPlatform, testPlatform } from '../../../../fixtures/platform.ts'
import { sharedBySuites } from '../../../../fixtures/suite.ts'
import { askJson } from '../../../../fixtures/wire/ask.ts'

type Document = Readonly<Record<string, unknown>>
type Problem = { readonly pointer: string; readonly detail: string }
type Dashboard = {
  readonly id: string
  readonly version: number
  readonly created_by: string
  readonly changed_by: string
  readonly document: Document
  readonly code: string
  readonly message: string
  readonly problems?: readonly Problem[]
  readonly conflict?: { readonly stored: Dashboard; readonly sent: Document }
}

const at = (column: number, row: number) => ({ column, row, width: 4, height: 3 })
const level = { asset: 'tank-1', signal: 'level' }
const board = {
  name: 'Tank farm',
  description: 'Of hall 2.',
  period: '7d',
  panels: [
    { id: 'value', type: 'value', ...at(0, 0), signals: [level], warning: 80, critical: 90 },
    { id: 'plot', type: 'plot', ...at(4, 0), title: 'Levels', signals: [level, level] },
    { id: 'gauge', type: 'gauge', ...at(8, 0), signals: [level], minimum: 0, maximum: 50 },
    { id: 'table', type: 'table', ...at(0, 3), group: 'hall', signal_name: 'Level' },
    { id: 'map', type: 'map', ...at(4, 3), assets: ['tank-1'] },
    { id: 'status', type: 'status', ...at(8, 3), group: 'hall' },
    { id: 'text', type: 'text', ...at(0, 6), text: 'Call 112.\nThen the shift.' },
  ],
}

let millrace: TestPlatform
const onInstance = sharedBySuites(async (suite) => {
  millrace = await testPlatform(suite)
})

const ask = <Body = Dashboard>(method: string, path = '', body?: unknown, as = millrace.basic) =>
  askJson<Body>(`${millrace.httpUrl}/api:1/dashboards${path}`, { method, body, as })

async function makeToken(role: string, business = millrace.businessId, groups?: string[]) {
  const wanted = { name: 't', role, ...(groups && { groups }) }
  const { token } = await millrace.platform.accounts.createToken(business, wanted)
  return `Automation ${token}`
}

describe('dashboards in the management API', () => {
  onInstance()

  it('one is read back as it was sent, listed, replaced and deleted', async () => {
    const made = await ask('POST', '', board)
    assert.deepEqual([made.status, made.json.document, made.json.version], [201, board, 1])
    const path = `/${made.json.id}`
    assert.deepEqual((await ask('GET', path)).json, made.json)
    const { json } = await ask<{ dashboards: Dashboard[] }>('GET', '?text=HALL&limit=5')
    const { document: _, ...facts } = made.json
    const { name, description } = board
    assert.deepEqual(json.dashboards, [{ ...facts, name, description, panels: 7 }])
    const next = { name: 'Vats', panels: [] }
    const changed = await ask('PUT', path, { version: 1, document: next })
    assert.equal(changed.json.version, 2)
    assert.deepEqual(changed.json.document, { ...next, description: '', period: '24h' })
    assert.equal((await ask('DELETE', path)).status, 204)
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await ask(method, path)).json.code, 'not_found')
    }
  })

  it('a change of an older version is refused with both', async () => {
    const { id } = (await ask('POST', '', board)).json
    const first = { name: 'First', panels: [] }
    const second = { name: 'Second', description: '', period: '1h', panels: [] }
    const stored = (await ask('PUT', `/${id}`, { version: 1, document: first })).json
    const refused = await ask('PUT', `/${id}`, { version: 1, document: second })
    assert.deepEqual([refused.status, refused.json.code], [409, 'dashboard_outdated'])
    assert.deepEqual(refused.json.conflict, { stored, sent: second })
    assert.deepEqual((await ask('GET', `/${id}`)).json, stored, 'nothing was changed')
    const chosen = await ask('PUT', `/${id}`, { version: stored.version, document: second })
    assert.deepEqual([chosen.status, chosen.json.version], [200, 3])
    const both = [first, second].map((document) => ask('PUT', `/${id}`, { version: 3, document }))
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 409], 'of two at once one wins')
  })

  it('names who made and who changed it', async () => {
    const { id } = (await ask('POST', '', board)).json
    const document = { name: 'Changed', panels: [] }
    const changed = await ask(
      'PUT',
      `/${id}`,
      { version: 1, document },
      await makeToken('Operator'),
    )
    assert.equal(changed.status, 200)
    assert.match(changed.json.changed_by, /^token:/)
    assert.match(changed.json.created_by, /^user:/)
  })
})

describe('dashboards of users and API tokens of some groups', () => {
  onInstance()

  it('lie in their group: who sees it sees them, and no more than these', async () => {
    const { groups } = millrace.platform
    const view = wholeView(millrace.businessId)
    const north = await groups.create(view, { name: 'North' })
    const hall = await groups.create(view, { name: 'Hall', parentId: north.id })
    const tokenIn = (id: string) => makeToken('Operator', millrace.businessId, [id])
    const [inNorth, inHall] = [await tokenIn(north.id), await tokenIn(hall.id)]
    const whole = (await ask('POST', '', board)).json.id
    const own = (await ask('POST', '', { ...board, name: 'Own' }, inNorth)).json.id
    const below = (await ask('POST', '', { ...board, name: 'Below' }, inHall)).json.id
    const seenBy = async (as: string) => {
      const { json } = await ask<{ dashboards: Dashboard[] }>('GET', '', undefined, as)
      return json.dashboards.map(({ id }) => id).filter((id) => [whole, own, below].includes(id))
    }
    assert.deepEqual(await seenBy(millrace.basic), [whole, own, below])
    assert.deepEqual(await seenBy(inNorth), [own, below])
    assert.deepEqual(await seenBy(inHall), [below])
    const change = { version: 1, document: { name: 'Changed', panels: [] } }
    for (const id of [whole, own]) {
      for (const [method, body] of [['GET'], ['PUT', change], ['DELETE']] as const) {
        assert.equal((await ask(method, `/${id}`, body, inHall)).status, 404, `${method} ${id}`)
      }
    }
    assert.equal((await ask('PUT', `/${below}`, change, inNorth)).status, 200)
    assert.equal((await ask('DELETE', `/${below}`, undefined, inNorth)).status, 204)
  })

  it('lie in the group above once theirs is deleted', async () => {
    const { businessId, platform } = millrace
    const view = wholeView(businessId)
    const { id: parentId } = await platform.groups.create(view, { name: 'East' })
    const shed = await platform.groups.create(view, { name: 'Shed', parentId })
    const author = { businessId, subject: 'x', view: { businessId, groups: [shed.id] } }
    const { id } = await platform.dashboards.create(author, { name: 'Shed', panels: [] })
    await assert.rejects(platform.groups.remove(view, shed.id), /1 dashboards/)
    await platform.groups.remove(view, shed.id, shed.name)
    const inEast = { businessId, groups: [parentId] }
    assert.equal((await platform.dashboards.get(inEast, id)).document.name, 'Shed')
  })
})

describe('a dashboard that is refused', () => {
  onInstance()

  it('by its schema, with the place of the first fault', async () => {
    const text = { id: 'a', type: 'text', text: 'x', ...at(0, 0) }
    for (const [body, message] of [
      [{ panels: [] }, /^name must be given/],
      [{ name: '', panels: [] }, /^name must not be empty/],
      [{ name: 'x'.repeat(201), panels: [] }, /^name must have at most 200 characters/],
      [{ name: 'x' }, /^panels/],
      [{ name: 'x', period: '2d', panels: [] }, /^period must be one of/],
      [{ name: 'x', panels: [text, { ...text, type: 'video' }] }, /^panels\[1\]\.type/],
      [{ name: 'x', panels: [{ ...text, width: 13 }] }, /^panels\[0\]\.width .* from 1 to 12/],
      [{ name: 'x', panels: [{ ...text, row: -1 }] }, /^panels\[0\]\.row/],
      [{ name: 'x', panels: [{ ...text, text: 'x'.repeat(4_001) }] }, /panels\[0\]\.text .*4000/],
      [{ name: 'x', panels: [{ ...text, script: 'x' }] }, /script/],
      [{ name: 'x', panels: Array.from({ length: 101 }, () => text) }, /panels .* 100 items/],
    ] as const) {
      const { status, json } = await ask('POST', '', body)
      assert.deepEqual([status, json.code], [400, 'invalid_argument'], JSON.stringify(json))
      assert.match(json.message, message)
    }
  })

  it('by its panels, with the place of every fault', async () => {
    const panels = [
      { id: 'a', type: 'value', ...at(0, 0) },
      { id: 'b', type: 'text', ...at(2, 2), text: 'x', signals: [level] },
      { id: 'a', type: 'gauge', ...at(10, 9), signals: [level, level], minimum: 5, maximum: 5 },
      { id: 'c', type: 'map', ...at(0, 20), group: 'g', assets: ['a'] },
    ]
    const { status, json } = await ask('POST', '', { name: 'x', panels })
    assert.deepEqual([status, json.code], [400, 'dashboard_refused'])
    assert.deepEqual(
      json.problems?.map(({ pointer }) => pointer),
      [
        '/panels/0/signals',
        '/panels/1/signals',
        '/panels/1/row',
        '/panels/2/signals',
        '/panels/2/maximum',
        '/panels/2/width',
        '/panels/2/id',
        '/panels/3/group',
      ],
    )
    assert.match(json.message, /^panels\[0\]\.signals is needed/)
  })

  it('if a business has as many as it may have', async (t) => {
    const as = `Automation ${(await millrace.otherBusiness()).token}`
    t.after(() => Object.assign(dashboardLimits, { dashboardsMax: 1_000 }))
    Object.assign(dashboardLimits, { dashboardsMax: 2 })
    const document = { name: 'One', panels: [] }
    for (const expected of [201, 201, 400]) {
      assert.equal((await ask('POST', '', document, as)).status, expected)
    }
    assert.match((await ask('POST', '', document, as)).json.message, /at most 2 dashboards/)
  })
})
