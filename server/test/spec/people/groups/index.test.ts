import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { andSeen, seenValues } from '../../../../src/people/groups/index.ts'
import { graphqlFixture } from '../../../fixtures/wire/graphql.ts'

const insertGroups = `
  insert into groups_group (business_id, id, parent_id, name, depth, path)
  select $1, 'g-' || n, root.id, 'Group ' || n, 1, root.path || ('g-' || n)
  from groups_group root, generate_series(1, 1000) n
  where root.business_id = $1 and root.parent_id is null`

const insertAssets = `
  insert into assets_asset (business_id, id, group_id, name, description, by_intake, created_at)
  select $1, gen_random_uuid()::text, 'g-' || (1 + n % 1000), 'Asset ' || n, '', false, n
  from generate_series(1, 5000) n`

test('what a user of one group sees is found by an index once groups are made', async (t) => {
  const own = 'analyzes the tables, by which statements are planned'
  const { database, groups, business, view: all } = await graphqlFixture(t, { own })
  await groups.create(all, { name: 'North' })
  await database.run(insertGroups, [business])
  await database.run(insertAssets, [business])
  await database.run('analyze groups_group')
  await database.run('analyze assets_asset')
  const view = { businessId: business, groups: ['g-7'] }
  const text = `explain select a.id from assets_asset a
    where a.business_id = $1${andSeen(view, 'a.group_id', 2)}`
  type Line = { readonly 'QUERY PLAN': string }
  const lines = await database.rows<Line>(text, [business, ...seenValues(view)])
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
  assert.match(plan, /Index Scan on groups_group_path/)
})
