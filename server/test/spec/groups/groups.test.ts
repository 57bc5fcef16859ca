import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeView } from '../../../src/groups/index.ts'
import { limits } from '../../../src/kernel/index.ts'
import { assetsFixture } from '../../fixtures/assets.ts'

test('the root is made on demand, once, also when two ask at the same time', async (t) => {
  const { groups, business } = await assetsFixture(t)
  const roots = await Promise.all(Array.from({ length: 8 }, () => groups.root(wholeView(business))))
  assert.equal(new Set(roots.map((root) => root.id)).size, 1)
  assert.deepEqual(await groups.list(wholeView(business)), [roots[0]])
  assert.deepEqual([roots[0]?.parentId, roots[0]?.depth], [null, 0])
})

test('groups form a tree, parents first in the list, with all descendants', async (t) => {
  const { groups, business, other } = await assetsFixture(t)
  const site = await groups.create(wholeView(business), { name: ' Site ' })
  const hall = await groups.create(wholeView(business), { name: 'Hall', parentId: site.id })
  const yard = await groups.create(wholeView(business), { name: 'Yard' })
  const root = await groups.root(wholeView(business))
  assert.equal(site.name, 'Site')
  assert.deepEqual([site.parentId, hall.parentId], [root.id, site.id])
  assert.deepEqual(await groups.list(wholeView(business)), [root, site, yard, hall])
  assert.deepEqual(
    (await groups.below(wholeView(business), site.id)).sort(),
    [site.id, hall.id].sort(),
  )
  assert.equal((await groups.below(wholeView(business), root.id)).length, 4)
  assert.deepEqual(await groups.get(wholeView(business), hall.id), hall)
  await assert.rejects(groups.get(wholeView(other), hall.id), { code: 'not_found' })
  await assert.rejects(groups.below(wholeView(other), hall.id), { code: 'not_found' })
  await assert.rejects(groups.create(wholeView(other), { name: 'x', parentId: hall.id }), {
    code: 'not_found',
  })
})

test('the deepest group that is allowed is made, the next is refused', async (t) => {
  const { groups, business } = await assetsFixture(t)
  let parentId = (await groups.root(wholeView(business))).id
  for (let depth = 1; depth < limits.groupDepthMax; depth += 1) {
    const group = await groups.create(wholeView(business), { name: `at ${depth}`, parentId })
    assert.equal(group.depth, depth)
    parentId = group.id
  }
  await assert.rejects(groups.create(wholeView(business), { name: 'too deep', parentId }), {
    code: 'invalid_argument',
  })
})

test('a name has a character, and at most so many', async (t) => {
  const { groups, business } = await assetsFixture(t)
  const longest = 'n'.repeat(limits.nameCharsMax)
  assert.equal((await groups.create(wholeView(business), { name: longest })).name, longest)
  for (const name of ['', '   ', `${longest}n`, 'a\0b', '\ud800']) {
    await assert.rejects(groups.create(wholeView(business), { name }), { code: 'invalid_argument' })
  }
})
