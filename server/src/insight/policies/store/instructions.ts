import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import { andSeen, seenValues, type View } from '../../../people/groups/index.ts'
import type { InstructionVersion, WorkInstruction } from '../types.ts'

const columns = `
  w.id, w.business_id as "businessId", w.group_id as "groupId", w.name, w.version,
  w.created_at as "createdAt", w.updated_at as "updatedAt"`

export type InstructionQuery = {
  readonly ids?: readonly string[] | undefined
  /** A pattern of `ilike`. */
  readonly pattern?: string | undefined
  readonly groupIds?: readonly string[] | undefined
  readonly limit: number
  readonly offset: number
}

export function instructionPage(
  queryable: Queryable,
  view: View,
  { ids, pattern, groupIds, limit, offset }: InstructionQuery,
): Promise<WorkInstruction[]> {
  const text = `
    select ${columns} from policies_instruction w
    where w.business_id = $1
      and ($2::text[] is null or w.id = any($2))
      and ($3::text is null or w.name ilike $3)
      and ($4::text[] is null or w.group_id = any($4))
      ${andSeen(view, 'w.group_id', 7)}
    order by w.number limit $5 offset $6`
  const filter = [ids ? textArray(ids) : null, pattern ?? null]
  const page = [groupIds ? textArray(groupIds) : null, limit, offset]
  return queryable.rows<WorkInstruction>(text, [
    view.businessId,
    ...filter,
    ...page,
    ...seenValues(view),
  ])
}

/** Holds the instruction: nobody else changes it until the transaction ends. */
export function holdInstruction(transaction: Transaction, view: View, id: string) {
  const text = `
    select ${columns} from policies_instruction w
    where w.business_id = $1 and w.id = $2${andSeen(view, 'w.group_id', 3)}
    for update of w`
  return transaction.one<WorkInstruction>(text, [view.businessId, id, ...seenValues(view)])
}

const insertInstruction = `
insert into policies_instruction (business_id, id, group_id, name, version, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, $7)`

export function addInstruction(transaction: Transaction, one: WorkInstruction): Promise<number> {
  const { businessId, id, groupId, name, version, createdAt, updatedAt } = one
  const values = [businessId, id, groupId, name, version, createdAt, updatedAt]
  return transaction.run(insertInstruction, values)
}

const updateInstruction = `
update policies_instruction set group_id = $3, name = $4, version = $5, updated_at = $6
where business_id = $1 and id = $2`

export function changeInstruction(transaction: Transaction, one: WorkInstruction): Promise<number> {
  const { businessId, id, groupId, name, version, updatedAt } = one
  return transaction.run(updateInstruction, [businessId, id, groupId, name, version, updatedAt])
}

const deleteInstruction = 'delete from policies_instruction where business_id = $1 and id = $2'

export function dropInstruction(transaction: Transaction, businessId: string, id: string) {
  return transaction.run(deleteInstruction, [businessId, id])
}

const countInstructions = `
select count(*) as count from policies_instruction
where business_id = $1 and ($2::text is null or group_id = $2)`

/** Counts those of a business, or of one group of it. */
export async function instructionCount(queryable: Queryable, businessId: string, groupId?: string) {
  const values = [businessId, groupId ?? null]
  return (await queryable.one<{ count: number }>(countInstructions, values))?.count ?? 0
}

const insertVersion = `
insert into policies_version
  (business_id, instruction_id, version, id, filename, content_type, bytes, sha256, modified_at,
   created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

export function addVersion(
  transaction: Transaction,
  businessId: string,
  one: InstructionVersion,
): Promise<number> {
  const { instructionId, version, id, filename, contentType, bytes, sha256 } = one
  const file = [id, filename, contentType, bytes, sha256, one.modifiedAt, one.createdAt]
  return transaction.run(insertVersion, [businessId, instructionId, version, ...file])
}

const selectVersions = `
select v.id, v.instruction_id as "instructionId", v.version, v.filename,
  v.content_type as "contentType", v.bytes, v.sha256, v.modified_at as "modifiedAt",
  v.created_at as "createdAt"
from policies_version v
where v.business_id = $1 and v.instruction_id = any($2::text[])
order by v.instruction_id, v.version desc`

export function readVersions(
  queryable: Queryable,
  businessId: string,
  instructionIds: readonly string[],
): Promise<InstructionVersion[]> {
  return queryable.rows<InstructionVersion>(selectVersions, [businessId, textArray(instructionIds)])
}

/** Returns which of these contents of a business are those of versions. */
export async function keptContents(
  queryable: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const text = 'select id from policies_version where business_id = $1 and id = any($2::text[])'
  const rows = await queryable.rows<{ id: string }>(text, [businessId, textArray(ids)])
  return new Set(rows.map(({ id }) => id))
}
