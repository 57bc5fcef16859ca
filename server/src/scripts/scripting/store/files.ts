import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'

/** A file of a push, as it is stored. */
export type StoredFile = {
  readonly path: string
  readonly text: string
  /** True if the text is encrypted. */
  readonly sealed: boolean
}

/** In the order of their paths. */
export function readPushedFiles(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<StoredFile[]> {
  return queryable.rows<StoredFile>(
    `select path, text, sealed from scripting_file
    where business_id = $1 and solution_id = $2 order by path collate "C"`,
    [businessId, solutionId],
  )
}

/** Adds these, in place of those of the same paths. */
export async function writePushedFiles(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
  files: readonly StoredFile[],
): Promise<void> {
  if (files.length === 0) return
  const texts = (['path', 'text'] as const).map((field) =>
    textArray(files.map((file) => file[field])),
  )
  const sealed = textArray(files.map((file) => String(file.sealed)))
  await transaction.run(
    `insert into scripting_file (business_id, solution_id, path, text, sealed)
    select $1, $2, p, t, s::boolean
    from unnest($3::text[], $4::text[], $5::text[]) as given (p, t, s)
    on conflict (solution_id, path) do update
    set text = excluded.text, sealed = excluded.sealed`,
    [businessId, solutionId, ...texts, sealed],
  )
}

export async function deletePushedFiles(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
): Promise<void> {
  await transaction.run('delete from scripting_file where business_id = $1 and solution_id = $2', [
    businessId,
    solutionId,
  ])
}
