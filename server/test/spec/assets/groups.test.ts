import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../src/kernel/index.ts'
import { assetsFixture } from '../../fixtures/assets.ts'

test('the root is made on demand, once, also when two ask at the same time', async (t) => {
  const { assets, business } = await assetsFixture(t)
  const roots = await Promise.all(Array.from({ length: 8 }, () => assets.groups.root(business)))
  assert.equal(new Set(roots.map((root) => root.id)).size, 1)
  assert.deepEqual(await assets.groups.list(business), [roots[0]])
  assert.deepEqual([roots[0]?.parentId, roots[0]?.depth], [null, 0])
})

test('groups form a tree, parents first in the list, with all descendants', async (t) => {
  const { assets, business, other } = await assetsFixture(t)
  const site = await assets.groups.create(business, { name: ' Site ' })
  const hall = await assets.groups.create(business, { name: 'Hall', parentId: site.id })
  const yard = await assets.groups.create(business, { name: 'Yard' })
  const root = await assets.groups.root(business)
  assert.equal(site.name, 'Site')
  assert.deepEqual([site.parentId, hall.parentId], [root.id, site.id])
  assert.deepEqual(await assets.groups.list(business), [root, site, yard, hall])
  assert.deepEqual((await assets.groups.below(business, site.id)).sort(), [site.id, hall.id].sort())
  assert.equal((await assets.groups.below(business, root.id)).length, 4)
  assert.deepEqual(await assets.groups.get(business, hall.id), hall)
  await assert.rejects(assets.groups.get(other, hall.id), { code: 'not_found' })
  await assert.rejects(assets.groups.below(other, hall.id), { code: 'not_found' })
  await assert.rejects(assets.groups.create(other, { name: 'x', parentId: hall.id }), {
    code: 'not_found',
  })
})

test('the deepest group that is allowed is made, the next is refused', async (t) => {
  const { assets, business } = await assetsFixture(t)
  let parentId = (await assets.groups.root(business)).id
  for (let depth = 1; depth < limits.groupDepthMax; depth += 1) {
    const group = await assets.groups.create(business, { name: `at ${depth}`, parentId })
    assert.equal(group.depth, depth)
    parentId = group.id
  }
  await assert.rejects(assets.groups.create(business, { name: 'too deep', parentId }), {
    code: 'invalid_argument',
  })
})

test('a name has a character, and at most so many', async (t) => {
  const { assets, business } = await assetsFixture(t)
  const longest = 'n'.repeat(limits.nameCharsMax)
  assert.equal((await assets.groups.create(business, { name: longest })).name, longest)
  for (const name of ['', '   ', `${longest}n`, 'a\0b', '\ud800']) {
    await assert.rejects(assets.groups.create(business, { name }), { code: 'invalid_argument' })
  }
})
