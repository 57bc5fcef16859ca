import type { Queryable, Transaction } from '../../../foundation/database/index.ts'

/** The sealed values of a solution's environment; null if none is set. */
export async function readSealedEnvironment(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<string | null> {
  const text = 'select environment from scripting_solution where business_id = $1 and id = $2'
  const row = await queryable.one<{ environment: string | null }>(text, [businessId, solutionId])
  return row?.environment ?? null
}

export async function writeSealedEnvironment(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
  sealed: string | null,
): Promise<void> {
  await transaction.run(
    'update scripting_solution set environment = $3 where business_id = $1 and id = $2',
    [businessId, solutionId, sealed],
  )
}

/** @returns true the first time for a solution. */
export async function markInitialised(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
): Promise<boolean> {
  const marked = await transaction.run(
    `update scripting_solution set is_initialised = true
    where business_id = $1 and id = $2 and not is_initialised`,
    [businessId, solutionId],
  )
  return marked === 1
}
