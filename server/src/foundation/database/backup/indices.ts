import type { BoundedClient } from '../connection/bounded-client.ts'

type Statements = { readonly dropped: string; readonly made: string }

/** The foreign keys of a table, and those of others that refer to it. */
const foreignKeys = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as dropped,
    format('alter table %s add constraint %I %s',
      conrelid::regclass, conname, pg_get_constraintdef(oid)) as made
  from pg_constraint
  where contype = 'f' and conparentid = 0
    and (conrelid = $1::regclass or confrelid = $1::regclass)`

const keys = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as dropped,
    format('alter table %s add constraint %I %s',
      conrelid::regclass, conname, pg_get_constraintdef(oid)) as made
  from pg_constraint where contype in ('p', 'u') and conrelid = $1::regclass order by contype`

/** An index of a partitioned table is defined for it alone; those of its partitions follow it. */
const otherIndices = `
  select format('drop index %s', indexrelid::regclass) as dropped,
    regexp_replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as made
  from pg_index i
  where indrelid = $1::regclass
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid
      and c.contype in ('p', 'u', 'x'))`

/**
 * Keys and indices of tables that are filled: made after their rows they take a part of the time,
 * since the rows are sorted once and the index is written once.
 */
export class LateIndices {
  readonly #client: BoundedClient
  #ofTable: readonly Statements[] = []
  /** They need the keys of both tables. */
  readonly #foreign: Statements[] = []

  constructor(client: BoundedClient) {
    this.#client = client
  }

  /** Removes those of an empty table, until `make`. */
  async drop(table: string): Promise<void> {
    this.#foreign.push(...(await this.#drop(foreignKeys, table)))
    this.#ofTable = [...(await this.#drop(keys, table)), ...(await this.#drop(otherIndices, table))]
  }

  /** Makes those of the table again, but its foreign keys. */
  async make(): Promise<void> {
    for (const { made } of this.#ofTable) await this.#client.query(made)
    this.#ofTable = []
  }

  /** Makes the foreign keys again, of all tables. */
  async makeForeign(): Promise<void> {
    for (const { made } of this.#foreign) await this.#client.query(made)
  }

  async #drop(which: string, table: string): Promise<Statements[]> {
    const { rows } = await this.#client.query<Statements>(which, [table])
    for (const { dropped } of rows) await this.#client.query(dropped)
    return rows
  }
}
