import type { Queryable, Transaction } from '../../../../foundation/database/index.ts'

export type UserTokenInput = {
  readonly tokenHash: string
  readonly userId: number
  readonly passwordHash: string
  readonly expiresAt: number
  /** Tokens that the user keeps; the oldest go. */
  readonly keep: number
}

/** @returns false if the password or the status has changed meanwhile. */
export async function addToken(
  transaction: Transaction,
  solutionId: string,
  { tokenHash, userId, passwordHash, expiresAt, keep }: UserTokenInput,
): Promise<boolean> {
  const held = await transaction.one(
    `select id from user_account
     where solution_id = $1 and id = $2 and password_hash = $3 and status = 1 for update`,
    [solutionId, userId, passwordHash],
  )
  if (held === undefined) return false
  await transaction.run(
    `delete from user_token where token_hash in (
       select token_hash from user_token where solution_id = $1 and user_id = $2
       order by expires_at desc offset $3)`,
    [solutionId, userId, keep - 1],
  )
  await transaction.run(
    `insert into user_token (token_hash, solution_id, user_id, expires_at)
     values ($1, $2, $3, $4)`,
    [tokenHash, solutionId, userId, expiresAt],
  )
  return true
}

export async function deleteToken(
  database: Queryable,
  solutionId: string,
  tokenHash: string,
): Promise<void> {
  await database.run('delete from user_token where solution_id = $1 and token_hash = $2', [
    solutionId,
    tokenHash,
  ])
}

/** Ends all that a user has open. */
export async function deleteTokens(
  transaction: Transaction,
  solutionId: string,
  userId: number,
): Promise<void> {
  await transaction.run('delete from user_token where solution_id = $1 and user_id = $2', [
    solutionId,
    userId,
  ])
}

/** @returns how many were removed. */
export async function sweepTokens(
  database: Queryable,
  nowUs: number,
  rowsMax: number,
): Promise<number> {
  const rows = await database.rows(
    `delete from user_token where token_hash in (
       select token_hash from user_token where expires_at <= $1 order by expires_at limit $2)
     returning user_id`,
    [nowUs, rowsMax],
  )
  return rows.length
}
