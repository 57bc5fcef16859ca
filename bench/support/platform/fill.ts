import type { Database } from '../../../server/src/foundation/database/index.ts'

const groups = 1_000

/** Adds assets of 5 signals each in a thousand groups (`bench-1` and so on) by SQL. */
export async function fillBusiness(
  database: Database,
  businessId: string,
  assets: number,
): Promise<void> {
  await database.run(insertGroups, [businessId, groups])
  await database.run(insertAssets, [businessId, assets])
  await database.run(insertSignals, [businessId])
}

const insertGroups = `
insert into groups_group (business_id, id, parent_id, name, depth, path)
select $1, 'bench-' || n, root.id, 'Group ' || n, 1, root.path || ('bench-' || n)
from groups_group root, generate_series(1, $2::int) n
where root.business_id = $1 and root.parent_id is null`

const insertAssets = `
insert into assets_asset (business_id, id, group_id, name, description, by_intake, created_at)
select $1, gen_random_uuid()::text, 'bench-' || (1 + n % ${groups}), 'Asset ' || n,
  'A pump in the third hall', false, 1767225600000000 + n
from generate_series(1, $2::int) n`

const insertSignals = `
insert into assets_signal (business_id, id, asset_id, name, description, primitive_type, data_type,
  data_unit, tags)
select a.business_id, gen_random_uuid()::text, a.id, 'Signal ' || n, '', 'NUMERIC', 'TEMPERATURE',
  'DEG_CELSIUS', '{}'
from assets_asset a, generate_series(1, 5) n
where a.business_id = $1 and a.group_id like 'bench-%'`
