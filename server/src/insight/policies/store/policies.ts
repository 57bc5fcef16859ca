import { int8Array, type Queryable, type Transaction } from '../../../foundation/database/index.ts'
import { type Dependants, limits } from '../../../foundation/kernel/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import type { Policy } from '../types.ts'

const columns = `
  p.id, p.business_id as "businessId", p.group_id as "groupId", p.priority,
  p.instruction_id as "workInstructionId", p.levels, p.category, p.asset_type as "assetType",
  p.translations, p.created_at as "createdAt", p.updated_at as "updatedAt"`

/** In the order in which they count. */
export function policyPage(
  queryable: Queryable,
  view: View,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Policy[]> {
  const text = `
    select ${columns} from policies_policy p
    where p.business_id = $1${andSeen(view, 'p.group_id', 4)}
    order by p.priority, p.number limit $2 offset $3`
  return queryable.rows<Policy>(text, [view.businessId, limit, offset, ...seenValues(view)])
}

export function holdPolicy(transaction: Transaction, view: View, id: string) {
  const text = `
    select ${columns} from policies_policy p
    where p.business_id = $1 and p.id = $2${andSeen(view, 'p.group_id', 3)}
    for update of p`
  return transaction.one<Policy>(text, [view.businessId, id, ...seenValues(view)])
}

const upsertPolicy = `
insert into policies_policy
  (business_id, id, group_id, priority, instruction_id, levels, category, asset_type,
    translations, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6::bigint[], $7, $8, $9::jsonb, $10, $11)
on conflict (business_id, id) do update set
  group_id = excluded.group_id, priority = excluded.priority,
  instruction_id = excluded.instruction_id, levels = excluded.levels,
  category = excluded.category, asset_type = excluded.asset_type,
  translations = excluded.translations, updated_at = excluded.updated_at`

export function keepPolicy(transaction: Transaction, policy: Policy): Promise<number> {
  const { businessId, id, groupId, priority, workInstructionId, levels, category } = policy
  return transaction.run(upsertPolicy, [
    businessId,
    id,
    groupId,
    priority,
    workInstructionId,
    levels && int8Array(levels),
    category,
    policy.assetType,
    JSON.stringify(policy.translations),
    policy.createdAt,
    policy.updatedAt,
  ])
}

const deletePolicy = 'delete from policies_policy where business_id = $1 and id = $2'

export function dropPolicy(transaction: Transaction, businessId: string, id: string) {
  return transaction.run(deletePolicy, [businessId, id])
}

const countPolicies = 'select count(*) as count from policies_policy where business_id = $1'

export async function policyCount(queryable: Queryable, businessId: string): Promise<number> {
  return (await queryable.one<{ count: number }>(countPolicies, [businessId]))?.count ?? 0
}

/** Counts the policies that have a work instruction, and names the first that a view sees. */
export async function instructionPolicies(
  queryable: Queryable,
  view: View,
  instructionId: string,
): Promise<Dependants[]> {
  const text = `
    select
      (select count(*) from policies_policy
        where business_id = $1 and instruction_id = $2) as count,
      array(
        select coalesce(p.translations -> 0 ->> 'name', p.id) from policies_policy p
        where p.business_id = $1 and p.instruction_id = $2${andSeen(view, 'p.group_id', 3)}
        order by p.priority, p.number limit ${limits.dependantsNamedMax}) as names`
  const values = [view.businessId, instructionId, ...seenValues(view)]
  const row = await queryable.one<Pick<Dependants, 'count' | 'names'>>(text, values)
  return row === undefined || row.count === 0
    ? []
    : [{ kind: 'policies', effect: 'blocks', ...row }]
}
