import {
  int8Array,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import type { Script, ScriptKey, ScriptKind } from '../schema.ts'

type Row = {
  kind: ScriptKind
  name: string
  file: string
  first_line: number
  source: string
  created_at: number
  updated_at: number
}

const columns = 'kind, name, file, first_line, source, created_at, updated_at'

function fromRow(row: Row): Script {
  return {
    kind: row.kind,
    name: row.name,
    file: row.file,
    firstLine: row.first_line,
    source: row.source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** In the order of their files, and of their lines. */
export async function readScripts(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<Script[]> {
  const text = `
    select ${columns} from scripting_script
    where business_id = $1 and solution_id = $2 order by file, first_line, kind, name`
  return (await queryable.rows<Row>(text, [businessId, solutionId])).map(fromRow)
}

/** The scripts of a business that have the name, or in which the word occurs. */
export async function readScriptsNaming(
  queryable: Queryable,
  businessId: string,
  name: string,
  word: string,
): Promise<(Pick<Script, 'kind' | 'name' | 'file' | 'source'> & { solutionId: string })[]> {
  const text = `
    select solution.id as "solutionId", script.kind, script.name, script.file, script.source
    from scripting_solution solution
    join scripting_script script on script.solution_id = solution.id
    where solution.business_id = $1
      and (script.kind = 'handler' and script.name = $2 or strpos(script.source, $3) > 0)
    order by solution.number`
  return queryable.rows(text, [businessId, name, word])
}

export async function readScript(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  { kind, name }: ScriptKey,
): Promise<Script | undefined> {
  const text = `
    select ${columns} from scripting_script
    where business_id = $1 and solution_id = $2 and kind = $3 and name = $4`
  const row = await queryable.one<Row>(text, [businessId, solutionId, kind, name])
  return row && fromRow(row)
}

/** Adds these, in place of those of the same kind and name; all of them at the same time. */
export async function writeScripts(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
  scripts: readonly Omit<Script, 'createdAt' | 'updatedAt'>[],
  at: number,
): Promise<void> {
  if (scripts.length === 0) return
  const texts = (['kind', 'name', 'file', 'source'] as const).map((field) =>
    textArray(scripts.map((script) => script[field])),
  )
  const lines = int8Array(scripts.map(({ firstLine }) => firstLine))
  await transaction.run(
    `insert into scripting_script
      (business_id, solution_id, kind, name, file, source, first_line, created_at, updated_at)
    select $1, $2, k, n, f, s, l, $8, $8
    from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
      as given (k, n, f, s, l)
    on conflict (solution_id, kind, name) do update
    set file = excluded.file, source = excluded.source, first_line = excluded.first_line,
      updated_at = excluded.updated_at`,
    [businessId, solutionId, ...texts, lines, at],
  )
}

/** @returns how many there were. */
export function deleteScripts(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
  keys: readonly ScriptKey[],
): Promise<number> {
  return transaction.run(
    `delete from scripting_script
    where business_id = $1 and solution_id = $2
      and (kind, name) in (select k, n from unnest($3::text[], $4::text[]) as given (k, n))`,
    [
      businessId,
      solutionId,
      textArray(keys.map(({ kind }) => kind)),
      textArray(keys.map(({ name }) => name)),
    ],
  )
}

export async function measureScripts(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<{ count: number; bytes: number }> {
  const row = await queryable.one<{ count: number; bytes: number }>(
    `select count(*) as count, coalesce(sum(octet_length(source)), 0)::bigint as bytes
    from scripting_script where business_id = $1 and solution_id = $2`,
    [businessId, solutionId],
  )
  return row ?? { count: 0, bytes: 0 }
}
