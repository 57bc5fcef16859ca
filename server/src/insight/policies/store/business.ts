import {
  type BusinessRows,
  type Queryable,
  readDependants,
  rowsByIndex,
} from '../../../foundation/database/index.ts'
import type { Dependants } from '../../../foundation/kernel/index.ts'
import { movesRows } from '../../../people/groups/index.ts'

/** Everything of a business but the bytes of its files. */
export const policyRows: BusinessRows = rowsByIndex(
  'policies_policy',
  'policies_version',
  'policies_instruction',
)

type Place = { readonly businessId: string; readonly groupId?: string }

/** The policies of a group, which moves them, or of a business, with which they go. */
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

export const moveGroupPolicies = movesRows('policies_policy', 'policies_instruction')
