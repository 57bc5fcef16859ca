import type { Queryable, Transaction } from '../../../foundation/database/index.ts'

/** A stored list without its entries. */
export type CrlHead = {
  readonly generation: string
  /** The authority that signed it, PEM. */
  readonly ca: string
  readonly number: string | null
  /** Microseconds, as every time here. */
  readonly this_update: number
  readonly next_update: number | null
  readonly revoked: number
  readonly put_at: number
}

export type CrlRow = CrlHead & { readonly der: Buffer }

const head = 'generation, ca, number, this_update, next_update, revoked, put_at'

export async function readCrl(
  database: Queryable,
  connectorId: string,
): Promise<CrlRow | undefined> {
  return database.one<CrlRow>(`select ${head}, der from provisioning_crl where connector_id = $1`, [
    connectorId,
  ])
}

/** Without the list itself, which may be long. */
export async function readCrlHead(
  database: Queryable,
  connectorId: string,
): Promise<CrlHead | undefined> {
  return database.one<CrlHead>(`select ${head} from provisioning_crl where connector_id = $1`, [
    connectorId,
  ])
}

/** Puts a list in the place of the one before. */
export async function upsertCrl(
  transaction: Transaction,
  connectorId: string,
  row: CrlRow,
): Promise<void> {
  await transaction.run(
    `insert into provisioning_crl
       (connector_id, generation, ca, der, number, this_update, next_update, revoked, put_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (connector_id) do update set
       generation = excluded.generation, ca = excluded.ca, der = excluded.der,
       number = excluded.number, this_update = excluded.this_update,
       next_update = excluded.next_update, revoked = excluded.revoked, put_at = excluded.put_at`,
    [
      connectorId,
      row.generation,
      row.ca,
      row.der,
      row.number,
      row.this_update,
      row.next_update,
      row.revoked,
      row.put_at,
    ],
  )
}

/** @returns whether there was one. */
export async function deleteCrl(transaction: Transaction, connectorId: string): Promise<boolean> {
  const removed = await transaction.run('delete from provisioning_crl where connector_id = $1', [
    connectorId,
  ])
  return removed === 1
}

/** When newer lists of a business's connectors are due, in microseconds, by the connectors' ids. */
export function readCrlsDue(
  database: Queryable,
  businessId: string,
): Promise<{ readonly id: string; readonly due: number }[]> {
  return database.rows(
    `select c.id, l.next_update as due from provisioning_connector c
     join provisioning_crl l on l.connector_id = c.id
     where c.business_id = $1 and l.next_update is not null`,
    [businessId],
  )
}
