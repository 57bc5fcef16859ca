import {
  isOfPart,
  partValue,
  type Queryable,
  type Transaction,
} from '../../../../foundation/database/index.ts'
import type { PeriodPart } from '../../../../foundation/kernel/index.ts'

/** Jobs that were removed, by the part in which the ledger counts them. */
type RemovedJobs = { readonly part: number; readonly count: number; readonly queued: number }

/** Deletes all rows of a solution. @returns its jobs. */
export async function removeSolution(
  transaction: Transaction,
  solutionId: string,
): Promise<RemovedJobs[]> {
  const removed = await transaction.rows<RemovedJobs>(
    `with gone as (
       delete from notification_job where solution_id = $1 returning part, state)
     select part, count(*) as count, count(*) filter (where state = 'queued') as queued
     from gone group by part order by part`,
    [solutionId],
  )
  await transaction.run('delete from notification_notification where solution_id = $1', [
    solutionId,
  ])
  await transaction.run('delete from notification_binding where solution_id = $1', [solutionId])
  await transaction.run('delete from notification_queue where solution_id = $1', [solutionId])
  await transaction.run('delete from notification_solution where solution_id = $1', [solutionId])
  return removed
}

/** Deletes ended jobs of notifications from before a time. @returns how many, by their parts. */
export function deleteOldJobs(
  transaction: Transaction,
  part: PeriodPart,
  beforeUs: number,
  count: number,
): Promise<{ readonly part: number; readonly count: number }[]> {
  return transaction.rows(
    `with gone as (
       delete from notification_job where ctid = any(array(
       select j.ctid from notification_notification n
       join notification_job j on j.solution_id = n.solution_id and j.notification_sid = n.sid
       where n.created_at < $1::bigint and n.expand_after >= n.expand_to
         and j.state <> 'queued' and ${isOfPart(part, 'n.business_id', 3)}
       limit $2::bigint))
       returning part)
     select part, count(*) as count from gone group by part order by part`,
    [beforeUs, count, partValue(part)],
  )
}

/** Deletes notifications from before a time that have no jobs. @returns how many. */
export function deleteOldNotifications(
  queryable: Queryable,
  part: PeriodPart,
  beforeUs: number,
  count: number,
): Promise<number> {
  return queryable.run(
    `delete from notification_notification where ctid = any(array(
       select n.ctid from notification_notification n
       where n.created_at < $1::bigint and n.expand_after >= n.expand_to
         and not exists (select 1 from notification_job j
                         where j.solution_id = n.solution_id and j.notification_sid = n.sid)
         and ${isOfPart(part, 'n.business_id', 3)}
       limit $2::bigint))`,
    [beforeUs, count, partValue(part)],
  )
}

type ReceiptOf = {
  readonly solutionId: string
  readonly channel: string
  readonly providerId: string
}

/**
 * Adds a receipt to the timeline of its job, unless an earlier receipt said as much.
 * @returns the number of jobs that changed.
 */
export function addReceipt(
  queryable: Queryable,
  receipt: ReceiptOf & {
    readonly progress: number
    readonly failed: boolean
    readonly moment: string
    readonly reason: string
  },
  nowUs: number,
): Promise<number> {
  const { solutionId, channel, providerId, progress, failed, moment, reason } = receipt
  return queryable.run(
    `update notification_job
     set timeline = (timeline::jsonb || $4::jsonb)::text, receipt = $5, updated_at = $8::bigint,
       state = case when $6::boolean then 'failed' else state end,
       reason = case when $6::boolean then $7 else reason end
     where solution_id = $1 and channel = $2 and provider_id = $3
       and state in ('sent', 'failed') and receipt < $5`,
    [solutionId, channel, providerId, moment, progress, failed, reason, nowUs],
  )
}

/** Returns whether a job is queued, and may be in flight without its provider id. */
export async function isSending(
  queryable: Queryable,
  { solutionId, channel }: Pick<ReceiptOf, 'solutionId' | 'channel'>,
): Promise<boolean> {
  const row = await queryable.one(
    `select number from notification_job
     where solution_id = $1 and channel = $2 and state = 'queued' limit 1`,
    [solutionId, channel],
  )
  return row !== undefined
}

/** Returns whether a job has a provider id. */
export async function hasProviderId(
  queryable: Queryable,
  { solutionId, channel, providerId }: ReceiptOf,
): Promise<boolean> {
  const row = await queryable.one(
    `select number from notification_job
     where solution_id = $1 and channel = $2 and provider_id = $3 limit 1`,
    [solutionId, channel, providerId],
  )
  return row !== undefined
}
