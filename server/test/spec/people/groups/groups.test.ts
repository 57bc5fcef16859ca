import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../../../src/foundation/kernel/index.ts'
import { groupLimits } from '../../../../src/people/groups/index.ts'
import { assetsFixture } from '../../../fixtures/assets.ts'

test('the root is made on demand, once, also when two ask at the same time', async (t) => {
  const { groups, view } = await assetsFixture(t)
  const roots = await Promise.all(Array.from({ length: 8 }, () => groups.root(view)))
  assert.equal(new Set(roots.map((root) => root.id)).size, 1)
  assert.deepEqual(await groups.list(view), [roots[0]])
  assert.deepEqual([roots[0]?.parentId, roots[0]?.depth], [null, 0])
})

test('groups form a tree, parents first in the list, with all descendants', async (t) => {
  const { groups, view, otherView } = await assetsFixture(t)
  const site = await groups.create(view, { name: ' Site ' })
  const hall = await groups.create(view, { name: 'Hall', parentId: site.id })
  const yard = await groups.create(view, { name: 'Yard' })
  const root = await groups.root(view)
  assert.equal(site.name, 'Site')
  assert.deepEqual([site.parentId, hall.parentId], [root.id, site.id])
  assert.deepEqual(await groups.list(view), [root, site, yard, hall])
  assert.deepEqual((await groups.below(view, site.id)).sort(), [site.id, hall.id].sort())
  assert.equal((await groups.below(view, root.id)).length, 4)
  assert.deepEqual(await groups.get(view, hall.id), hall)
  await assert.rejects(groups.get(otherView, hall.id), { code: 'not_found' })
  await assert.rejects(groups.below(otherView, hall.id), { code: 'not_found' })
  await assert.rejects(groups.create(otherView, { name: 'x', parentId: hall.id }), {
    code: 'not_found',
  })
})

test('the deepest group that is allowed is made, the next is refused', async (t) => {
  const { groups, view } = await assetsFixture(t)
  let parentId = (await groups.root(view)).id
  for (let depth = 1; depth < groupLimits.groupDepthMax; depth += 1) {
    const group = await groups.create(view, { name: `at ${depth}`, parentId })
    assert.equal(group.depth, depth)
    parentId = group.id
  }
  await assert.rejects(groups.create(view, { name: 'too deep', parentId }), {
    code: 'invalid_argument',
  })
})

test('a name has a character, and at most so many', async (t) => {
  const { groups, view } = await assetsFixture(t)
  const longest = 'n'.repeat(limits.nameCharsMax)
  assert.equal((await groups.create(view, { name: longest })).name, longest)
  for (const name of ['', '   ', `${longest}n`, 'a\0b', '\ud800']) {
    await assert.rejects(groups.create(view, { name }), { code: 'invalid_argument' })
  }
})
