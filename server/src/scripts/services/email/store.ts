import type { Queryable, Transaction } from '../../../foundation/database/index.ts'

export type Period = { readonly name: 'minute' | 'day'; readonly us: number }

/**
 * Counts recipients in a period, which begins anew once it is over, or if a clock that ran ahead
 * has begun it. The row is held until the transaction ends: processes count one after another.
 * @returns the count with these, and when the period began
 */
export async function countRecipients(
  transaction: Transaction,
  solutionId: string,
  { name, us }: Period,
  recipients: number,
  nowUs: number,
): Promise<{ readonly count: number; readonly since: number }> {
  const row = await transaction.one<{ count: number; since: number }>(
    `insert into email_rate as rate (solution_id, period, since, count) values ($1, $2, $3, $4)
     on conflict (solution_id, period) do update set
       count = case when rate.since <= $3::bigint - $5::bigint or rate.since > $3
         then $4 else rate.count + $4 end,
       since = case when rate.since <= $3::bigint - $5::bigint or rate.since > $3
         then $3 else rate.since end
     returning count, since`,
    [solutionId, name, nowUs, recipients, us],
  )
  return row ?? { count: recipients, since: nowUs }
}

export async function removeSolution(queryable: Queryable, solutionId: string): Promise<void> {
  await queryable.run('delete from email_rate where solution_id = $1', [solutionId])
}
