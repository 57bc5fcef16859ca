import {
  int8Array,
  type Queryable,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import { fromRow, type KeyEntry, type KeyRow } from './entry.ts'

/** A key of a solution. */
export type Name = { readonly solutionId: string; readonly key: string }

type EntryRow = {
  readonly solution_id: string
  readonly key: string
  readonly kind: string
  readonly body: string
  readonly expires_at: number | null
}

/** A stored key; the entry is undefined if it has expired. */
export type Found = Name & { readonly entry: KeyEntry | undefined }

export async function readEntries(
  database: Queryable,
  names: readonly Name[],
  nowUs: number,
): Promise<Found[]> {
  const rows = await database.rows<EntryRow>(
    `select e.solution_id, e.key, e.kind, e.body, e.expires_at
     from unnest($1::text[], $2::text[]) as n (solution_id, key)
     join keystore_entry e on e.solution_id = n.solution_id and e.key = n.key`,
    columns(names),
  )
  return rows.map(({ solution_id, key, kind, body, expires_at }) => ({
    solutionId: solution_id,
    key,
    entry:
      expires_at === null || expires_at > nowUs
        ? { ...fromRow({ kind, body }), expiresAt: expires_at ?? undefined }
        : undefined,
  }))
}

/** Takes the solutions' locks, always in one order, and gives how many keys each has. */
export async function lockSolutions(
  transaction: Transaction,
  solutionIds: readonly string[],
): Promise<Map<string, number>> {
  const sorted = textArray(solutionIds.toSorted())
  const known = await readLocked(transaction, sorted)
  if (known.size === solutionIds.length) return known
  await transaction.run(
    `insert into keystore_solution (solution_id)
     select unnest($1::text[]) on conflict do nothing`,
    [sorted],
  )
  return readLocked(transaction, sorted)
}

async function readLocked(transaction: Transaction, sorted: Buffer): Promise<Map<string, number>> {
  const rows = await transaction.rows<{ solution_id: string; keys: number }>(
    `select solution_id, keys from keystore_solution
     where solution_id = any($1::text[]) order by solution_id for update`,
    [sorted],
  )
  return new Map(rows.map(({ solution_id, keys }) => [solution_id, keys]))
}

export async function writeEntries(
  transaction: Transaction,
  entries: readonly (Name & { readonly entry: KeyEntry; readonly row: KeyRow })[],
): Promise<void> {
  await transaction.run(
    `insert into keystore_entry (solution_id, key, kind, body, expires_at)
     select n.solution_id, n.key, n.kind, n.body, n.expires_at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
       as n (solution_id, key, kind, body, expires_at)
     on conflict (solution_id, key) do update
     set kind = excluded.kind, body = excluded.body, expires_at = excluded.expires_at`,
    [
      ...columns(entries),
      textArray(entries.map(({ row }) => row.kind)),
      textArray(entries.map(({ row }) => row.body)),
      int8Array(entries.map(({ entry }) => entry.expiresAt ?? null)),
    ],
  )
}

export async function deleteEntries(
  transaction: Transaction,
  names: readonly Name[],
): Promise<void> {
  await transaction.run(
    `delete from keystore_entry e using unnest($1::text[], $2::text[]) as n (solution_id, key)
     where e.solution_id = n.solution_id and e.key = n.key`,
    columns(names),
  )
}

export async function addToCounts(
  transaction: Transaction,
  changes: ReadonlyMap<string, number>,
): Promise<void> {
  await transaction.run(
    `update keystore_solution s set keys = s.keys + c.by
     from unnest($1::text[], $2::bigint[]) as c (solution_id, by)
     where s.solution_id = c.solution_id`,
    [textArray([...changes.keys()]), int8Array([...changes.values()])],
  )
}

export type KeysAsked = {
  /** A pattern for SQL's `like`, with `\` as the escape. */
  readonly pattern: string
  /** The keys behind this one. */
  readonly after: string
  readonly limit: number
}

/** Keys in their bytes' order. */
export async function listKeys(
  database: Queryable,
  solutionId: string,
  nowUs: number,
  { pattern, after, limit }: KeysAsked,
): Promise<string[]> {
  const rows = await database.rows<{ key: string }>(
    `select key from keystore_entry
     where solution_id = $1 and (expires_at is null or expires_at > $2)
       and key like $3 and key collate "C" > $4
     order by key collate "C" limit $5`,
    [solutionId, nowUs, pattern, after, limit],
  )
  return rows.map(({ key }) => key)
}

/** Removes some of what has expired. @returns how many. */
export async function sweepExpired(
  transaction: Transaction,
  nowUs: number,
  rowsMax: number,
): Promise<number> {
  const row = await transaction.one<{ gone: number }>(
    `with old as (
       select e.solution_id, e.key from keystore_entry e
       where e.expires_at <= $1 order by e.expires_at limit $2
     ), locked as (
       select s.solution_id from keystore_solution s
       where s.solution_id in (select solution_id from old) order by s.solution_id for update
     ), gone as (
       delete from keystore_entry e using old, locked
       where e.solution_id = old.solution_id and e.key = old.key
         and locked.solution_id = e.solution_id and e.expires_at <= $1
       returning e.solution_id
     ), counted as (
       update keystore_solution s set keys = s.keys - g.count
       from (select solution_id, count(*) from gone group by solution_id) g
       where s.solution_id = g.solution_id
     )
     select count(*) as gone from gone`,
    [nowUs, rowsMax],
  )
  return row?.gone ?? 0
}

export async function removeSolution(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run('delete from keystore_solution where solution_id = $1', [solutionId])
  await transaction.run('delete from keystore_entry where solution_id = $1', [solutionId])
}

function columns(names: readonly Name[]): [Buffer, Buffer] {
  return [
    textArray(names.map(({ solutionId }) => solutionId)),
    textArray(names.map(({ key }) => key)),
  ]
}

/** Counts the keys of a solution, also those that have expired and are not removed yet. */
export async function readKeyCount(queryable: Queryable, solutionId: string): Promise<number> {
  const row = await queryable.one<{ keys: number }>(
    'select keys from keystore_solution where solution_id = $1',
    [solutionId],
  )
  return row?.keys ?? 0
}
