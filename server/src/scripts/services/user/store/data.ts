import {
  type Queryable,
  type Transaction,
  textArray,
} from '../../../../foundation/database/index.ts'

export async function readData(
  database: Queryable,
  solutionId: string,
  userId: number,
): Promise<Map<string, string>> {
  const rows = await database.rows<{ key: string; value: string }>(
    'select key, value from user_data where solution_id = $1 and user_id = $2 order by key',
    [solutionId, userId],
  )
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export async function writeData(
  transaction: Transaction,
  solutionId: string,
  userId: number,
  data: ReadonlyMap<string, string>,
): Promise<void> {
  await transaction.run(
    `insert into user_data (solution_id, user_id, key, value)
     select $1, $2, d.key, d.value from unnest($3::text[], $4::text[]) as d (key, value)
     on conflict (solution_id, user_id, key) do update set value = excluded.value`,
    [solutionId, userId, textArray([...data.keys()]), textArray([...data.values()])],
  )
}

/** Deletes these keys; undefined: all of them. */
export async function deleteData(
  database: Queryable,
  solutionId: string,
  userId: number,
  keys: readonly string[] | undefined,
): Promise<void> {
  await database.run(
    `delete from user_data where solution_id = $1 and user_id = $2
       and ($3::text[] is null or key = any($3::text[]))`,
    [solutionId, userId, keys === undefined ? null : textArray(keys)],
  )
}

/** Holds a user until the transaction ends. @returns false if there is none. */
export async function holdUser(
  transaction: Transaction,
  solutionId: string,
  userId: number,
): Promise<boolean> {
  const row = await transaction.one(
    'select id from user_account where solution_id = $1 and id = $2 for update',
    [solutionId, userId],
  )
  return row !== undefined
}
