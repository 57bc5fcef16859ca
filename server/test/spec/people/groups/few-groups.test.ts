import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupLimits } from '../../../../src/people/groups/index.ts'
import { assetsFixture } from '../../../fixtures/assets.ts'

/** A site with cells, an asset in each of them and in a yard, in turn. */
async function cells(t: Parameters<typeof assetsFixture>[0], number: number) {
  const fixture = await assetsFixture(t)
  const { assets, groups, business, view: all } = fixture
  const site = await groups.create(all, { name: 'Site' })
  const yard = await groups.create(all, { name: 'Yard' })
  const made: string[] = []
  for (let at = 0; at < number; at += 1) {
    const cell = await groups.create(all, { name: `Cell ${at}`, parentId: site.id })
    made.push(cell.id)
  }
  // The second asset of each group is younger than the first of all.
  for (const groupId of [...made, yard.id, ...made, yard.id]) {
    await assets.create(all, { name: `in ${groupId}`, groupId })
  }
  const view = { businessId: business, groups: [site.id] }
  return { ...fixture, all, view, site, yard, cells: made }
}

for (const more of [-1, 0]) {
  test(`the few groups and ${more}: pages have what the view sees, sorted`, async (t) => {
    // With the site one group less, or one more, than a statement names.
    const { assets, all, view, yard } = await cells(t, groupLimits.groupsFewMax + more)
    const whole = await assets.list(all)
    const seen = whole.filter(({ groupId }) => groupId !== yard.id)
    const [, second] = seen
    assert(second)
    assert.deepEqual(await assets.list(view), seen)
    const page = { limit: 20, offset: 0 }
    assert.deepEqual(await assets.list(view, page), seen.slice(0, 20))
    assert.deepEqual(await assets.list(view, { limit: 3, offset: 15 }), seen.slice(15, 18))
    assert.deepEqual(await assets.list(view, { ...page, after: second.id }), seen.slice(2, 22))
    const back = { limit: 5, offset: 1, descending: true }
    assert.deepEqual(await assets.list(view, back), seen.toReversed().slice(1, 6))
    assert.deepEqual(
      await assets.list(view, { ...page, order: 'name' }),
      seen.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, 20),
    )
  })
}

test('one that sees no group, or one of another business, gets an empty page', async (t) => {
  const { assets, view, other } = await cells(t, 1)
  assert.deepEqual(await assets.list({ ...view, groups: [] }), [])
  assert.deepEqual(await assets.list({ ...view, businessId: other }), [])
})

test('a change of groups holds for the next list at once', async (t) => {
  const { assets, groups, all, view, site, yard } = await cells(t, 2)
  const names = async () => (await assets.list(view)).map(({ name }) => name)
  assert.equal((await names()).length, 4)
  const fresh = await groups.create(all, { name: 'Fresh', parentId: site.id })
  await assets.create(all, { name: 'fresh', groupId: fresh.id })
  assert.equal((await names()).at(-1), 'fresh')
  await groups.update(all, fresh.id, { parentId: yard.id })
  assert.equal((await names()).length, 4)
  await groups.update(all, fresh.id, { parentId: site.id })
  await groups.remove(all, fresh.id, 'Fresh')
  assert.equal((await names()).at(-1), 'fresh', 'it lies in the site now')
})

test('a list in a transaction sees its own changes of groups, and nobody else does', async (t) => {
  const { assets, groups, database, all, view, yard, cells: own } = await cells(t, 2)
  const [cell = ''] = own
  const seen = async () => (await assets.list(view)).length
  assert.equal(await seen(), 4)
  const undone = database.joined(async () => {
    await groups.update(all, cell, { parentId: yard.id })
    assert.equal(await seen(), 2)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.equal(await seen(), 4)
  await database.joined(async () => {
    await groups.update(all, cell, { parentId: yard.id })
  })
  assert.equal(await seen(), 2)
})
