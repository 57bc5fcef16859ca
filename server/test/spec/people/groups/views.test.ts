import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupLimits } from '../../../../src/people/groups/index.ts'
import { type AssetsFixture, assetsFixture } from '../../../fixtures/assets.ts'

const invalid = { code: 'invalid_argument' }
const missing = { code: 'not_found' }

/** Root, with Site (Hall, Hall has Cell) and Yard. */
async function tree({ groups, view: all }: AssetsFixture) {
  const site = await groups.create(all, { name: 'Site', description: 'North', customId: 'S-1' })
  const hall = await groups.create(all, { name: 'Hall', parentId: site.id })
  const cell = await groups.create(all, { name: 'Cell', parentId: hall.id })
  const yard = await groups.create(all, { name: 'Yard' })
  return { all, root: await groups.root(all), site, hall, cell, yard }
}

const names = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name)

test('a group id is a UUID of version 7', async (t) => {
  const fixture = await assetsFixture(t)
  const { site } = await tree(fixture)
  assert.match(site.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a view of a group sees it and all below it, and nothing else', async (t) => {
  const fixture = await assetsFixture(t)
  const { groups, business, other } = fixture
  const { site, hall, cell, yard, root } = await tree(fixture)
  const view = { businessId: business, groups: [hall.id] }
  assert.deepEqual(names(await groups.list(view)), ['Hall', 'Cell'])
  assert.equal((await groups.get(view, hall.id)).parentId, null, 'its parent is not seen')
  assert.equal((await groups.get(view, cell.id)).parentId, hall.id)
  for (const { id } of [site, yard, root]) await assert.rejects(groups.get(view, id), missing)
  const ids = [site.id, hall.id, cell.id, yard.id]
  assert.deepEqual(names(await groups.some(view, ids)), ['Hall', 'Cell'])
  assert.deepEqual([...(await groups.children(view, ids)).keys()], [hall.id])
  for (const nothing of [
    { businessId: business, groups: [] },
    { businessId: other, groups: [hall.id] },
    { businessId: other, groups: 'all' as const },
  ]) {
    assert.deepEqual(await groups.list(nothing), [])
  }
})

test('a view changes what lies below its groups, and not these themselves', async (t) => {
  const fixture = await assetsFixture(t)
  const { groups, business } = fixture
  const { site, hall, cell, yard } = await tree(fixture)
  const view = { businessId: business, groups: [hall.id] }
  const made = await groups.create(view, { name: 'Bench' })
  assert.equal(made.parentId, hall.id, 'without a parent: in the group that is seen')
  assert.equal((await groups.update(view, hall.id, { name: 'Hall 1' })).name, 'Hall 1')
  assert.equal((await groups.update(view, made.id, { parentId: cell.id })).depth, 4)
  await assert.rejects(groups.update(view, hall.id, { parentId: cell.id }), invalid)
  await assert.rejects(groups.update(view, cell.id, { parentId: yard.id }), missing)
  await assert.rejects(groups.update(view, yard.id, { name: 'x' }), missing)
  await assert.rejects(groups.create(view, { name: 'x', parentId: site.id }), missing)
  await assert.rejects(groups.remove(view, hall.id), invalid)
  await assert.rejects(groups.remove(view, yard.id), missing)
  const two = { businessId: business, groups: [hall.id, yard.id] }
  await assert.rejects(groups.create(two, { name: 'x' }), /must be named/)
})

test('a group that is moved takes all below it along', async (t) => {
  const fixture = await assetsFixture(t)
  const { groups, business } = fixture
  const { all, site, hall, cell, yard, root } = await tree(fixture)
  await groups.update(all, hall.id, { parentId: yard.id })
  assert.deepEqual((await groups.below(all, yard.id)).sort(), [yard.id, hall.id, cell.id].sort())
  assert.deepEqual(await groups.below(all, site.id), [site.id])
  assert.deepEqual([(await groups.get(all, cell.id)).depth], [3])
  const view = { businessId: business, groups: [yard.id] }
  assert.deepEqual(names(await groups.list(view)), ['Yard', 'Hall', 'Cell'])
  await assert.rejects(groups.update(all, yard.id, { parentId: cell.id }), /lies in it/)
  await assert.rejects(groups.update(all, root.id, { parentId: yard.id }), /root cannot be moved/)
  await assert.rejects(groups.update(all, hall.id, { parentId: 'nothing' }), missing)
})

test('a move goes no deeper than groups may lie in one another', async (t) => {
  const { groups, view: all } = await assetsFixture(t)
  let parentId = (await groups.root(all)).id
  let above = parentId
  for (let depth = 1; depth < groupLimits.groupDepthMax; depth += 1) {
    above = parentId
    parentId = (await groups.create(all, { name: `at ${depth}`, parentId })).id
  }
  const one = await groups.create(all, { name: 'one' })
  await assert.rejects(groups.update(all, one.id, { parentId }), invalid)
  await groups.create(all, { name: 'below one', parentId: one.id })
  await assert.rejects(groups.update(all, one.id, { parentId: above }), invalid)
})

test('two moves at once make no circle', async (t) => {
  const fixture = await assetsFixture(t)
  const { groups } = fixture
  const { all, site, yard } = await tree(fixture)
  const results = await Promise.allSettled([
    groups.update(all, site.id, { parentId: yard.id }),
    groups.update(all, yard.id, { parentId: site.id }),
  ])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal((await groups.list(all)).length, 5)
})

test('a group is removed once nothing lies in it', async (t) => {
  const fixture = await assetsFixture(t)
  const { groups } = fixture
  const { all, hall, cell, root } = await tree(fixture)
  await assert.rejects(groups.remove(all, hall.id), /^Fault: .*1 groups \(/)
  await assert.rejects(groups.remove(all, root.id), invalid)
  assert.equal((await groups.remove(all, cell.id)).name, 'Cell')
  await groups.remove(all, hall.id)
  await assert.rejects(groups.get(all, hall.id), missing)
})

test('groups are found by letters of name or description, by custom_id, by place', async (t) => {
  const fixture = await assetsFixture(t)
  const { groups } = fixture
  const { all, site, hall } = await tree(fixture)
  const found = async (filter: Parameters<typeof groups.list>[1]) =>
    names(await groups.list(all, filter))
  assert.deepEqual(await found({ text: 'root' }), ['Root'])
  assert.deepEqual(await found({ text: 'nORTH' }), ['Site'])
  assert.deepEqual(await found({ text: '%' }), [])
  assert.deepEqual(await found({ customId: 'S-1' }), ['Site'])
  assert.deepEqual(await found({ groupId: hall.id }), ['Hall'])
  assert.deepEqual(await found({ groupId: site.id, recurse: true }), ['Site', 'Hall', 'Cell'])
  assert.deepEqual(names(await groups.list(all, {}, { limit: 2, offset: 1 })), ['Site', 'Yard'])
})

test('a group with an asset, or to which an intake leads, is not removed', async (t) => {
  const fixture = await assetsFixture(t)
  const { assets, groups, view, connectorId } = fixture
  const { all, cell, yard } = await tree(fixture)
  const asset = await assets.create(view, { name: 'Pump', groupId: cell.id })
  await assert.rejects(groups.remove(all, cell.id), /1 assets \(/)
  await assets.remove(view, asset.id)
  await groups.remove(all, cell.id)
  await assets.intake.set(view, connectorId, { groupId: yard.id })
  await assert.rejects(groups.remove(all, yard.id), new RegExp(`1 connectors \\(${connectorId}\\)`))
  await assets.intake.set(view, connectorId, null)
  await groups.remove(all, yard.id)
})
