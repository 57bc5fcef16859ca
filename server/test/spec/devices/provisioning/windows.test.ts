import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type OwnPlatform, testPlatform } from '../../../fixtures/platform.ts'
import { overTls } from '../../../fixtures/provisioning.ts'
import { sharedBySuites } from '../../../fixtures/suite.ts'
import { askJson } from '../../../fixtures/wire/ask.ts'

const usPerHour = 3_600_000_000

/** The body of an answer or of a refusal. */
type Body = {
  readonly extended: number
  readonly expire: number
  readonly message: string
  readonly mayLoadMore: boolean
  readonly windows: readonly { readonly identity: string; readonly expire: number }[]
}

let there: OwnPlatform
const shareInstance = sharedBySuites(async (suite) => {
  there = await testPlatform(suite, { movesClock: true })
})
const provisioning = () => there.platform.provisioning

async function fresh(...names: string[]) {
  const connector = await provisioning().connectors.create(there.businessId, { name: 'Windows' })
  for (const name of names) {
    await provisioning().identities.whitelist(there.businessId, connector.id, name, {
      tags: [{ name: 'group', value: name.slice(0, 1) }],
    })
  }
  const until = async (name: string) =>
    (await provisioning().identities.get(there.businessId, connector.id, name)).auth.expire ?? 0
  const hoursLeft = async (name: string) =>
    Math.round(((await until(name)) - there.clock.nowUs()) / usPerHour)
  async function ask(body: unknown, method = 'POST', query = '') {
    const url = `${there.httpUrl}/api:1/service/${connector.id}/device2/windows${query}`
    const { status, json } = await askJson<Body>(url, { method, as: there.basic, body })
    return { status, body: json }
  }
  const next = (query = '') => ask(undefined, 'GET', query)
  return { connector, until, hoursLeft, ask, next }
}

const wrongOrders: [unknown, RegExp][] = [
  [{ all: true }, /^expire/],
  [{ hours: 1 }, /identity, tag and all/],
  [{ hours: 1, all: false }, /identity, tag and all/],
  [{ hours: 1, all: true, identity: 'a1' }, /identity, tag and all/],
  [{ hours: 1, expire: null, all: true }, /^hours/],
  [{ hours: 0, all: true }, /^hours/],
  [{ hours: 1.5, all: true }, /^hours/],
  [{ hours: 1e9, all: true }, /^hours/],
  [{ hours: '1', all: true }, /^hours/],
  [{ expire: 1e14, all: true }, /^expire must be ahead/],
  [{ expire: 1_893_456_000, all: true }, /^expire must be in microseconds.* is in seconds/],
  [{ expire: 1_893_456_000_000, all: true }, /^expire must be in .* is in milliseconds/],
  [{ expire: 'soon', all: true }, /expire/],
  [{ hours: 1, all: 'yes' }, /^all/],
  [{ hours: 1, identity: '' }, /^identity/],
  [{ hours: 1, identity: 'a\0' }, /^identity/],
  [{ hours: 1, tag: 'group' }, /^tag/],
  [{ hours: 1, tag: {} }, /^tag.name/],
  [{ hours: 1, tag: { name: 'a', other: 1 } }, /other/],
  [{ hours: 1, all: true, more: 1 }, /more/],
  [[], /object/],
]

const wrongQueries = [
  '?limit=0',
  '?limit=x',
  '?before=x',
  '?before=1893456000',
  '?after=x',
  '?after=1',
  '?more=1',
]

describe('windows of activation: how they are extended', () => {
  shareInstance()

  it('are extended one by one, by tag, or all', async () => {
    const { ask, hoursLeft } = await fresh('a1', 'a2', 'b1')
    assert.equal((await ask({ hours: 50, identity: 'a1' })).body.extended, 1)
    assert.deepEqual([await hoursLeft('a1'), await hoursLeft('a2')], [50, 48])
    const tagged = await ask({ hours: 60, tag: { name: 'group', value: 'a' } })
    assert.equal(tagged.body.extended, 2)
    assert.deepEqual([await hoursLeft('a2'), await hoursLeft('b1')], [60, 48])
    assert.equal((await ask({ hours: 70, tag: { name: 'group' } })).body.extended, 3)
    const { status, body } = await ask({ hours: 80, all: true })
    assert.equal(status, 200)
    assert.equal(body.extended, 3)
    assert.equal(Math.round((body.expire - there.clock.nowUs()) / usPerHour), 80)
    assert.equal(await hoursLeft('b1'), 80)
  })

  it('never become shorter, and one without a deadline stays so', async () => {
    const { connector, ask, hoursLeft } = await fresh('a1', 'a2')
    await provisioning().identities.whitelist(there.businessId, connector.id, 'a2', {
      auth: { expire: null },
    })
    assert.equal((await ask({ hours: 10, all: true })).body.extended, 0)
    assert.equal(await hoursLeft('a1'), 48)
    assert.deepEqual((await ask({ expire: null, all: true })).body, { extended: 1, expire: null })
    const record = await provisioning().identities.get(there.businessId, connector.id, 'a1')
    assert.equal(record.auth.expire, undefined)
  })

  it('has no provisioned device, but one that must activate again', async () => {
    const { connector, ask, next } = await fresh('a1', 'a2')
    await provisioning().activate(connector, 'a1', overTls)
    assert.equal((await ask({ hours: 90, all: true })).body.extended, 1)
    await provisioning().identities.whitelist(there.businessId, connector.id, 'a1', {
      reprovision: true,
    })
    assert.equal((await ask({ hours: 90, identity: 'a1' })).body.extended, 1)
    const names = (await next()).body.windows.map(({ identity }) => identity)
    assert.deepEqual(names.toSorted(), ['a1', 'a2'])
  })

  it('that have closed open again', async () => {
    const { connector, ask, next } = await fresh('a1')
    const expire = there.clock.nowUs() + 1_000
    await provisioning().identities.whitelist(there.businessId, connector.id, 'a1', {
      auth: { expire },
    })
    there.clock.advance(2)
    assert.deepEqual((await next()).body.windows, [])
    assert.equal((await ask({ hours: 1, all: true })).body.extended, 1)
    const { token } = await provisioning().activate(connector, 'a1', overTls)
    assert.equal(token.length, 40)
  })
})

describe('windows of activation: what is listed, and what is refused', () => {
  shareInstance()

  it('are listed by what closes next, in pages, up to a time', async () => {
    const { ask, next, until } = await fresh('a1', 'a2', 'b1', 'b2')
    for (const [at, identity] of ['b2', 'a1', 'b1', 'a2'].entries()) {
      await ask({ expire: there.clock.nowUs() + (100 + at) * usPerHour, identity })
    }
    const first = await next('?limit=3')
    assert.equal(first.body.mayLoadMore, true)
    const names = ({ body }: { body: Body }) => body.windows.map(({ identity }) => identity)
    assert.deepEqual(names(first), ['b2', 'a1', 'b1'])
    assert.deepEqual(first.body.windows[0], {
      identity: 'b2',
      expire: await until('b2'),
      locked: false,
      tags: [{ name: 'group', value: 'b' }],
    })
    const { identity = '', expire = 0 } = first.body.windows[2] ?? {}
    const second = await next(`?limit=3&after=${expire}:${identity}`)
    assert.deepEqual([names(second), second.body.mayLoadMore], [['a2'], false])
    assert.deepEqual(names(await next(`?before=${await until('b1')}`)), ['b2', 'a1'])
  })

  it('every odd order is refused by the name of its field', async () => {
    const { ask } = await fresh('a1')
    for (const [order, message] of wrongOrders) {
      const { status, body } = await ask(order)
      assert.equal(status, 400, JSON.stringify(order))
      assert.match(body.message, message)
    }
  })

  it('every odd query of the list is refused', async () => {
    const { next } = await fresh('a1')
    for (const query of wrongQueries) assert.equal((await next(query)).status, 400, query)
  })
})
