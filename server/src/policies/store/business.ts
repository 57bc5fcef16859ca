import {
  type BusinessRows,
  type Queryable,
  readDependants,
  rowsByIndex,
} from '../../database/index.ts'
import type { Dependants } from '../../kernel/index.ts'

/** Everything of a business but the bytes of its files. */
export const policyRows: BusinessRows = rowsByIndex(
  ...['policies_policy', 'policies_version', 'policies_instruction'],
)

type Place = { readonly businessId: string; readonly groupId?: string }

/** Of a group, which moves them, or of a business, with which they go. */
export function policyDependants(
  queryable: Queryable,
  { businessId, groupId }: Place,
): Promise<Dependants[]> {
  const where = 'where business_id = $1 and ($2::text is null or group_id = $2)'
  const values = [businessId, groupId ?? null]
  const effect = groupId === undefined ? 'deleted' : 'moved'
  return readDependants(queryable, { effect, values }, [
    { kind: 'policies', from: `policies_policy ${where}`, name: 'id' },
    { kind: 'work_instructions', from: `policies_instruction ${where}`, name: 'name' },
  ])
}

export async function moveGroupPolicies(
  queryable: Queryable,
  businessId: string,
  from: string,
  to: string,
): Promise<void> {
  const values = [businessId, from, to]
  const set = 'set group_id = $3 where business_id = $1 and group_id = $2'
  await queryable.run(`update policies_policy ${set}`, values)
  await queryable.run(`update policies_instruction ${set}`, values)
}
