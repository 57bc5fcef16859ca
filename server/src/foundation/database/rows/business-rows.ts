import { type Dependants, limits, type PeriodPart } from '../../kernel/index.ts'
import { textArray } from '../arrays.ts'
import type { Queryable } from '../statement.ts'

/** Blocks of a table without an index for it that one transaction reads for such rows. */
const businessRemovalBlocksMax = 512

/**
 * Removes what a module stores of a business, in steps that each are a transaction of bounded size.
 * Yields the number of rows of each step. Idempotent: it may be ended, and begun again.
 */
export type BusinessRows = (queryable: Queryable, businessId: string) => AsyncGenerator<number>

/** Deletes from tables in this order; an index finds the rows by their column `business_id`. */
export function rowsByIndex(...tables: readonly string[]): BusinessRows {
  return async function* (queryable, businessId) {
    for (const table of tables) {
      yield* rowsWhere(queryable, table, 'business_id = $1', businessId)
    }
  }
}

/** Deletes the rows of a table that meet a condition on `$1`, which is the value. */
export async function* rowsWhere(
  queryable: Queryable,
  table: string,
  condition: string,
  value: string,
): AsyncGenerator<number> {
  const text = `
    delete from ${table} where ctid = any(array(
      select d.ctid from ${table} d where d.${condition} limit $2::bigint))`
  const { businessRemovalBatchMax: most } = limits
  for (;;) {
    const removed = await queryable.run(text, [value, most])
    yield removed
    if (removed < most) return
  }
}

/** Deletes from tables of which no index has the column `business_id`: each is read once. */
export function rowsByScan(...tables: readonly string[]): BusinessRows {
  return async function* (queryable, businessId) {
    for (const table of tables) {
      const text = `delete from ${table} where business_id = $1`
      for await (const range of readBlocks(queryable, table)) {
        yield await queryable.run(`${text} and ctid >= $2::tid and ctid < $3::tid`, [
          businessId,
          ...range,
        ])
      }
    }
  }
}

/** The table in ranges of its blocks, as they were at the beginning: pairs of tuple ids. */
export async function* readBlocks(
  queryable: Queryable,
  table: string,
): AsyncGenerator<readonly [from: string, to: string]> {
  const size = `
    select pg_relation_size($1::text::regclass) / current_setting('block_size')::bigint as blocks`
  const row = await queryable.one<{ blocks: number }>(size, [table])
  const step = businessRemovalBlocksMax
  for (let at = 0; at < (row?.blocks ?? 0); at += step) yield [`(${at},0)`, `(${at + step},0)`]
}

/** Rows that depend on something: the condition of a table, and the expression of their names. */
export type DependantRows = Pick<Dependants, 'kind'> & {
  readonly from: string
  readonly name: string
}

/** Counts rows that depend on something, of each kind that has some, and names the first. */
export async function readDependants(
  queryable: Queryable,
  { effect, values }: Pick<Dependants, 'effect'> & { readonly values: readonly unknown[] },
  kinds: readonly DependantRows[],
): Promise<Dependants[]> {
  const found: Dependants[] = []
  for (const { kind, from, name } of kinds) {
    const text = `
      select (select count(*) from ${from}) as count,
        array(select ${name} from ${from} order by 1 limit ${limits.dependantsNamedMax}) as names`
    const row = await queryable.one<Pick<Dependants, 'count' | 'names'>>(text, values)
    if (row !== undefined && row.count > 0) found.push({ kind, effect, ...row })
  }
  return found
}

/**
 * The condition that a row is of a part, by the column that names its business.
 * @param number of the parameter that is `partValue`.
 */
export function isOfPart(part: PeriodPart, column: string, number: number): string {
  return 'only' in part ? `${column} = $${number}` : `${column} <> all($${number}::text[])`
}

export function partValue(part: PeriodPart): unknown {
  return 'only' in part ? part.only : textArray(part.except)
}
