import type { BoundedClient } from '../connection/bounded-client.ts'
import type { TableShape } from './manifest.ts'

/** Tables that every database has of its own: they say what was done to this one. */
const ownTables = ['database_migration', 'database_lock', 'database_process']

type TableRow = {
  readonly oid: number
  readonly name: string
  readonly columns: readonly string[]
}

const tablesOfOurs = `
  select c.oid::bigint::float8 as oid, c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as columns
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition and c.relpersistence = 'p' and not (c.relname = any ($1))
  order by c.relname`

const references = `
  select conrelid::bigint::float8 as child, confrelid::bigint::float8 as parent
  from pg_constraint where contype = 'f' and conrelid <> confrelid and conparentid = 0`

const partitionsOf = `
  select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = $1::oid and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  order by c.relname`

const numberedColumns = `
  select attname::text as column,
    pg_get_serial_sequence($2::text, attname::text) as sequence
  from pg_attribute
  where attrelid = $1::oid and attidentity <> '' and not attisdropped order by attnum`

type NumberedRow = { readonly column: string; readonly sequence: string }

/** Reads the shapes of all tables, each after those that it refers to. */
export async function readTables(client: BoundedClient): Promise<TableShape[]> {
  const { rows } = await client.query<TableRow>(tablesOfOurs, [ownTables])
  const referred = await client.query<{ child: number; parent: number }>(references)
  const parentsOf = Map.groupBy(referred.rows, ({ child }) => child)
  const left = new Map(rows.map((row) => [row.oid, row]))
  const shapes: TableShape[] = []
  while (left.size > 0) {
    const ready = [...left.values()].filter(
      ({ oid }) => !(parentsOf.get(oid) ?? []).some(({ parent }) => left.has(parent)),
    )
    if (ready.length === 0) throw new Error('tables that refer to each other in a circle')
    for (const row of ready) {
      shapes.push(await readShape(client, row))
      left.delete(row.oid)
    }
  }
  return shapes
}

async function readShape(
  client: BoundedClient,
  { oid, name, columns }: TableRow,
): Promise<TableShape> {
  const numbered = await client.query<NumberedRow>(numberedColumns, [oid, name])
  const partitions = await client.query<{ name: string; bound: string }>(partitionsOf, [oid])
  return {
    name,
    columns: [...columns],
    numbered: await Promise.all(
      numbered.rows.map(async ({ column, sequence }) => {
        const { rows } = await client.query<{ last: string }>(
          `select (case when is_called then last_value else 0 end)::text as last from ${sequence}`,
        )
        return { column, last: rows[0]?.last ?? '0' }
      }),
    ),
    partitions: partitions.rows.map(({ name: partition, bound }) => {
      const [, from, to] = /^FOR VALUES FROM \('?(-?\d+)'?\) TO \('?(-?\d+)'?\)$/.exec(bound) ?? []
      if (from === undefined || to === undefined) {
        throw new Error(`the partition ${partition} has a range of another kind: ${bound}`)
      }
      return { name: partition, from, to }
    }),
  }
}

/** COPY of all rows of a table; those of a partitioned one with all of its partitions. */
export function copyOut({ name, columns }: TableShape): string {
  return `copy (select ${columns.join(', ')} from ${name}) to stdout`
}

export function copyIn({ name, columns }: TableShape): string {
  return `copy ${name} (${columns.join(', ')}) from stdin`
}
