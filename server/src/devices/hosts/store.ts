import type { BusinessRows, Queryable, Transaction } from '../../foundation/database/index.ts'

export type HostKind = 'connector' | 'solution'

/** The part of a host name before the domain, with its kind and its owner. */
export type HostLabel = {
  readonly label: string
  readonly kind: HostKind
  readonly businessId: string
}

/**
 * Inserts the label, or takes over one that its own business released, or of which the time is up.
 * Waits for a transaction that takes the same one.
 * @returns false if another owner has it.
 */
export async function insertLabel(
  transaction: Transaction,
  { label, kind, businessId }: HostLabel,
  nowUs: number,
): Promise<boolean> {
  const written = await transaction.run(
    `insert into hosts_label as held (label, kind, business_id, taken_at)
     values ($1, $2, $3, $4)
     on conflict (label) do update
       set kind = excluded.kind, business_id = excluded.business_id,
         taken_at = excluded.taken_at, retained_until = null
       where held.retained_until is not null
         and (held.retained_until <= excluded.taken_at or held.business_id = excluded.business_id)`,
    [label, kind, businessId, nowUs],
  )
  return written === 1
}

/** Ends the use of a label; one that somebody else has stays. */
export async function keepLabel(
  transaction: Transaction,
  { label, kind, businessId }: HostLabel,
  keptUntilUs: number,
): Promise<void> {
  await transaction.run(
    `update hosts_label set retained_until = $4
     where label = $1 and kind = $2 and business_id = $3 and retained_until is null`,
    [label, kind, businessId, keptUntilUs],
  )
}

/** Frees what a business released first where it has more than `keptMax`. */
export async function deleteOldest(
  transaction: Transaction,
  businessId: string,
  keptMax: number,
): Promise<void> {
  await transaction.run(
    `delete from hosts_label where label in (
       select label from hosts_label
       where business_id = $1 and retained_until is not null
       order by retained_until desc, label offset $2)`,
    [businessId, keptMax],
  )
}

export async function deleteUntil(queryable: Queryable, nowUs: number): Promise<void> {
  await queryable.run('delete from hosts_label where retained_until <= $1', [nowUs])
}

/** Reads the kind of a label that is in use. */
export async function readKind(queryable: Queryable, label: string): Promise<HostKind | undefined> {
  const row = await queryable.one<{ kind: HostKind }>(
    'select kind from hosts_label where label = $1 and retained_until is null',
    [label],
  )
  return row?.kind
}

/** The labels that are in use, of those given. */
export async function readTaken(
  queryable: Queryable,
  labels: readonly string[],
): Promise<HostLabel[]> {
  return queryable.rows<HostLabel>(
    `select label, kind, business_id as "businessId" from hosts_label
     where label = any($1::text[]) and retained_until is null order by label`,
    [labels],
  )
}

/**
 * Labels that a business released are nobody's: until their time is up nobody takes them, since
 * clients still call their hosts.
 */
export const hostRows: BusinessRows = async function* (queryable, businessId) {
  const text = `
    update hosts_label set business_id = '' where business_id = $1 and retained_until is not null`
  yield await queryable.run(text, [businessId])
}
