import { strict as assert } from 'node:assert'
import { type TestContext, test } from 'node:test'
import type { Provisioning } from '../../../../src/devices/provisioning/index.ts'
import { textArray } from '../../../../src/foundation/database/index.ts'
import { wholeView } from '../../../../src/people/groups/index.ts'
import { type ProvisioningFixture, provisioningFixture } from '../../../fixtures/provisioning.ts'

/*
 * Devices are found by their letters as `ilike` finds them, however far the index of letters is.
 */

/** Letters that a search may get wrong: those of patterns, of arrays, with and without case. */
const letters = [
  ...[...'aAbBiIkKsS019-_%\\\'"{},. '],
  ...['İ', 'ı', 'í', 'K', 'é', 'É', 'e\u0301', '\u0307', 'ß', 'ẞ', 'Σ', 'σ', 'ς', 'ж', 'Ж', 'ǅ'],
  ...['中', '文', 'א', 'ש', 'ع', '\u200f', '😀', '👩‍🔧', '𐐀', '𐐨'],
]

/** Numbers that look random and are the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function makeWord(random: (below: number) => number, lengthMax: number): string {
  const length = 1 + random(lengthMax)
  return Array.from({ length }, () => letters[random(letters.length)]).join('')
}

/** Searches for parts of what there is, and for words that nobody has. */
function makeSearches(random: (below: number) => number, names: readonly string[]): string[] {
  const parts = names.map((name) => {
    const characters = [...name]
    const at = random(characters.length)
    return characters.slice(at, at + 1 + random(5)).join('')
  })
  const cased = parts.map((part, at) => (at % 2 > 0 ? part.toUpperCase() : part.toLowerCase()))
  const words = Array.from({ length: 20 }, () => makeWord(random, 3))
  return [...new Set([...parts, ...cased, ...words])].filter((text) => text !== '')
}

const scan = `
  select i.connector_id || '.' || i.identity as id
  from provisioning_connector c join provisioning_identity i on i.connector_id = c.id
  where c.business_id = $1
    and (i.identity ilike $2 or i.name ilike $2 or i.description ilike $2)
  order by i.connector_id, i.identity`

type Searched = Pick<ProvisioningFixture, 'provisioning' | 'database' | 'business'>

/** Checks that each search finds what a scan of all devices finds. @returns how much it was. */
async function compare(
  { provisioning, database, business }: Searched,
  searches: readonly string[],
  when: string,
): Promise<number> {
  let found = 0
  for (const text of searches) {
    const pattern = `%${text.replaceAll(/[\\%_]/g, (letter) => `\\${letter}`)}%`
    const rows = await database.rows<{ id: string }>(scan, [business, pattern])
    const list = await provisioning.devices.list(wholeView(business), { text }, { limit: 1_000 })
    const ids = list.map(({ connectorId, identity }) => `${connectorId}.${identity}`)
    assert.deepEqual(
      ids,
      rows.map(({ id }) => id),
      `${when}: ${JSON.stringify(text)}`,
    )
    found += ids.length
  }
  return found
}

/** Devices with random names on two connectors of a business, and on one of another. */
async function fleet(t: TestContext, seed: number) {
  const fixture = await provisioningFixture(t)
  const { business, other, provisioning } = fixture
  const random = numbers(seed)
  const view = wholeView(business)
  const connectors = [await fixture.connector(), await fixture.connector()]
  const foreign = await provisioning.connectors.create(other, { name: 'Other' })
  const identities: string[] = []
  const names: string[] = []
  for (let at = 0; at < 60; at += 1) {
    const identity = `${makeWord(random, 6).trim() || 'x'}${at}`
    const connectorId = connectors[at % 2]?.id ?? ''
    await provisioning.identities.whitelist(business, connectorId, identity)
    await provisioning.identities.whitelist(other, foreign.id, identity)
    identities.push(identity)
    if (at % 3 > 0) continue
    const [name, description] = [makeWord(random, 8), makeWord(random, 20)]
    if (name.trim() === '') continue
    await provisioning.devices.update(view, { connectorId, identity }, { name, description })
    names.push(name, description)
  }
  const rename = (at: number, name: string) => {
    const device = { connectorId: connectors[at % 2]?.id ?? '', identity: identities[at] ?? '' }
    return provisioning.devices.update(view, device, { name })
  }
  return { ...fixture, random, names: [...identities, ...names], rename, connectors, view }
}

test('a search finds what a scan finds, however far its index is', async (t) => {
  const found = await fleet(t, 7)
  const { business, provisioning, database, random, names, connectors, rename } = found
  const searches = makeSearches(random, names)
  const first = await compare(found, searches, 'before the first pass')
  assert(first > searches.length, `${first} devices of ${searches.length} searches`)
  await provisioning.searchTerms.fill()
  const left = async () => {
    const text = `
      select count(*) as count from provisioning_identity
      where not searchable and connector_id = any($1::text[])`
    const ids = textArray(connectors.map(({ id }) => id))
    return (await database.one<{ count: number }>(text, [ids]))?.count
  }
  assert.equal(await left(), 0)
  assert.equal(await compare(found, searches, 'once all are in the index'), first)
  for (const at of [3, 4, 6, 8, 9]) await rename(at, `${makeWord(random, 5)}new`)
  await provisioning.identities.whitelist(business, connectors[0]?.id ?? '', 'Newest')
  const more = [...searches, 'NEW', 'newe', 'ew']
  const behind = await compare(found, more, 'with devices that are behind')
  assert.equal(await left(), 6)
  await provisioning.searchTerms.fill()
  assert.equal(await compare(found, more, 'when these followed'), behind)
})

test('a device that was deleted is not found, nor by the letters of one before it', async (t) => {
  const fixture = await provisioningFixture(t)
  const { business, provisioning } = fixture
  const view = wholeView(business)
  const { id } = await fixture.connector()
  const device = { connectorId: id, identity: 'a1' }
  const found = async (text: string) => (await provisioning.devices.list(view, { text })).length
  await provisioning.identities.whitelist(business, id, 'a1')
  await provisioning.devices.update(view, device, { name: 'Pump', description: 'loud' })
  await provisioning.searchTerms.fill()
  assert.deepEqual([await found('pum'), await found('LOUD'), await found('a1')], [1, 1, 1])
  await provisioning.devices.update(view, device, { description: 'quiet' })
  assert.deepEqual([await found('loud'), await found('quiet')], [0, 1])
  await provisioning.identities.remove(business, id, 'a1')
  assert.deepEqual([await found('pum'), await found('a1')], [0, 0])
  await provisioning.identities.whitelist(business, id, 'a1')
  assert.deepEqual([await found('pum'), await found('a1')], [0, 1])
  await provisioning.searchTerms.fill()
  assert.deepEqual([await found('pum'), await found('a1')], [0, 1])
  await provisioning.removals.remove(business, id, { cascade: true })
  assert.equal(await found('a1'), 0)
})

test('a page of a search goes on after another, both ways, with other filters', async (t) => {
  const fixture = await provisioningFixture(t)
  const { business, other, provisioning } = fixture
  const view = wholeView(business)
  const [first, second] = [await fixture.connector(), await fixture.connector()]
  for (const { id } of [first, second]) {
    for (const identity of ['pump-1', 'pump-2', 'gate-1']) {
      await provisioning.identities.whitelist(business, id, identity)
    }
  }
  await provisioning.searchTerms.fill()
  await provisioning.identities.whitelist(business, first.id, 'PUMP-0')
  const ids = async (...asked: Parameters<Provisioning['devices']['list']>) =>
    (await provisioning.devices.list(...asked)).map(({ identity }) => identity)
  const text = 'ump-'
  const all = ['PUMP-0', 'pump-1', 'pump-2']
  const both = first.id < second.id ? [...all, 'pump-1', 'pump-2'] : ['pump-1', 'pump-2', ...all]
  assert.deepEqual(await ids(view, { text }), both)
  assert.deepEqual(await ids(view, { text, descending: true }), both.toReversed())
  assert.deepEqual(await ids(view, { text }, { limit: 2, offset: 1 }), both.slice(1, 3))
  assert.deepEqual(await ids(view, { text, connectorId: first.id }), all)
  const after = `${first.id}.pump-1`
  assert.deepEqual(await ids(view, { text, connectorId: first.id, after }), ['pump-2'])
  assert.deepEqual(await ids(view, { text, ids: ['pump-2', 'gate-1'] }), ['pump-2', 'pump-2'])
  assert.deepEqual(await ids(view, { text: 'p', status: 'locked' }), [])
  assert.deepEqual(await ids({ businessId: business, groups: ['none'] }, { text }), [])
  assert.deepEqual(await ids(wholeView(other), { text }), [], 'of another business')
  assert.equal((await ids(view, { text: '' })).length, 7)
})

test('a list of identities by a pattern is the same by the index of letters', async (t) => {
  const fixture = await provisioningFixture(t)
  const { business, provisioning } = fixture
  const { id } = await fixture.connector()
  const names = ['pump-1', 'PUMP-2', 'a%b', 'a_b', 'aXb', 'A\\b', 'ünten', 'x pump']
  for (const name of names.slice(0, -1)) await provisioning.identities.whitelist(business, id, name)
  const patterns = [
    'ump',
    'UMP',
    'p.m',
    'ump-.$',
    '%',
    '_',
    '\\\\',
    'n',
    '^x',
    'a.b',
    '.',
    'zz',
    'ü',
  ]
  const listed = async () => {
    const found: [string, string[], number][] = []
    for (const identity of patterns) {
      const { devices } = await provisioning.identities.list(business, id, { identity })
      const count = await provisioning.identities.count(business, id, { identity })
      found.push([identity, devices.map((one) => one.identity), count])
    }
    return found
  }
  const before = await listed()
  await provisioning.searchTerms.fill()
  assert.deepEqual(await listed(), before)
  await provisioning.identities.whitelist(business, id, 'x pump')
  const [[, ump] = []] = await listed()
  assert.deepEqual(ump, ['pump-1', 'x pump'])
})
