import { int8Array, type Queryable, textArray } from '../../../foundation/database/index.ts'
import { fnv1a } from '../../../foundation/kernel/index.ts'

const slots = 16

/** A part of a statement that changes what devices feed: it counts the change, if there is one. */
export function counted(changed: string, slot: string): string {
  return `counted as (
  insert into assets_structure (business_id, slot, generation)
  select distinct $1::text, ${slot}::smallint, 1 from ${changed}
  on conflict (business_id, slot) do update set generation = assets_structure.generation + 1
)`
}

/** Any would do: changes in different ones do not wait for each other. */
export function chooseSlot(id: string): number {
  return Math.abs(fnv1a(id) % slots)
}

const countChanges = `
insert into assets_structure (business_id, slot, generation)
select business_id, slot, 1
from unnest($1::text[], $2::bigint[]) as c (business_id, slot)
order by business_id, slot
on conflict (business_id, slot) do update set generation = assets_structure.generation + 1`

/**
 * Counts changes of what these assets' devices feed, of each business once. To be called last in a
 * transaction: nobody who waits for the count then holds what the transaction waits for.
 */
export async function countStructure(
  queryable: Queryable,
  assets: readonly { readonly businessId: string; readonly assetId: string }[],
): Promise<void> {
  const slotsOf = new Map(
    assets.map(({ businessId, assetId }) => [businessId, chooseSlot(assetId)]),
  )
  if (slotsOf.size === 0) return
  const values = [textArray([...slotsOf.keys()]), int8Array([...slotsOf.values()])]
  await queryable.run(countChanges, values)
}

const selectGenerations = `
select business_id, sum(generation)::bigint as generation from assets_structure
where business_id = any($1::text[])
group by business_id`

/** A business's number grows with every change of what its devices feed. */
export async function readGenerations(
  queryable: Queryable,
  businessIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  type Row = { business_id: string; generation: number }
  const rows = await queryable.rows<Row>(selectGenerations, [textArray(businessIds)])
  return new Map(rows.map((row) => [row.business_id, row.generation]))
}
