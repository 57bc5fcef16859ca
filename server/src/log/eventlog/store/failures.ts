import type { Queryable } from '../../../foundation/database/index.ts'
import type { FailureKey } from '../../../foundation/kernel/index.ts'
import type { EntryFailure } from '../entry.ts'

type Row = {
  consumer: string
  part: number
  seq: number
  at: number
  connector_id: string
  identity: string
  reason: string
}

function toFailure({ consumer, connector_id, at, ...row }: Row): EntryFailure {
  return { stage: consumer, connectorId: connector_id, failedAt: at, ...row }
}

const columns = 'consumer, part, seq, at, connector_id, identity, reason'
/** As a person reads it, and as the cursor of a list has it. */
const id = `(part || '-' || seq) collate "C"`

/** The open failures, newest first. */
export async function readFailures(
  queryable: Queryable,
  businessId: string,
  stage: string,
  before: FailureKey | undefined,
  limit: number,
): Promise<EntryFailure[]> {
  const text = `
    select ${columns} from eventlog_failure
    where business_id = $1 and consumer = $2 and settled_at is null
      and ($3::bigint is null or (at, ${id}) < ($3::bigint, $4))
    order by at desc, ${id} desc limit $5::integer`
  const values = [businessId, stage, before?.failedAtUs ?? null, before?.id ?? '', limit]
  return (await queryable.rows<Row>(text, values)).map(toFailure)
}

export async function readFailure(
  queryable: Queryable,
  businessId: string,
  stage: string,
  failureId: string,
): Promise<EntryFailure | undefined> {
  const text = `
    select ${columns} from eventlog_failure
    where business_id = $1 and consumer = $2 and ${id} = $3 and settled_at is null`
  const row = await queryable.one<Row>(text, [businessId, stage, failureId])
  return row && toFailure(row)
}

/** Counts the open failures, at most `most`. */
export async function countFailures(
  queryable: Queryable,
  businessId: string,
  stage: string,
  most: number,
): Promise<number> {
  const text = `
    select count(*) as count from (
      select 1 from eventlog_failure
      where business_id = $1 and consumer = $2 and settled_at is null limit $3::integer) as open`
  return (await queryable.one<{ count: number }>(text, [businessId, stage, most]))?.count ?? 0
}

/** @param failureId undefined: all. @returns how many were open. */
export function settleFailures(
  queryable: Queryable,
  businessId: string,
  stage: string,
  failureId: string | undefined,
  nowUs: number,
): Promise<number> {
  const text = `
    update eventlog_failure set settled_at = $4::bigint
    where business_id = $1 and consumer = $2 and settled_at is null
      and ($3::text is null or ${id} = $3)`
  return queryable.run(text, [businessId, stage, failureId ?? null, nowUs])
}
