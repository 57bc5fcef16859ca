import {
  int8Array,
  type Queryable,
  type Statement,
  type Transaction,
  textArray,
} from '../../../foundation/database/index.ts'
import { presentUntil } from '../../../foundation/kernel/index.ts'

/** The news of one resource of one device; null where one of the two did not change. */
export type ValueChange = {
  readonly connectorId: string
  readonly identity: string
  readonly alias: string
  readonly reported: Stamped | null
  readonly set: Stamped | null
  /** True if the cloud wrote `set`, so that the device has yet to confirm it. */
  readonly pending: boolean
}

export type Stamped = { readonly value: string; readonly at: number }

/**
 * The join drops the news of an identity that was removed meanwhile. Sorted, so that two
 * transactions never wait for each other.
 */
const insertValues = `
  insert into provisioning_value as v
    (connector_id, identity, alias, reported, reported_at, set_value, set_at, pending)
  select n.connector_id, n.identity, n.alias, n.reported, n.reported_at, n.set_value, n.set_at,
    n.pending = 1
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[],
              $7::bigint[], $8::bigint[])
         as n (connector_id, identity, alias, reported, reported_at, set_value, set_at, pending)
    join provisioning_identity i
      on i.connector_id = n.connector_id and i.identity = n.identity
  order by n.connector_id, n.identity, n.alias
  on conflict (connector_id, identity, alias) do update set`

/**
 * Appends commit in the order of the log, so the last one is the current one. A stamp in the
 * future does not stay: `ahead_at` keeps it, for a long poll whose client remembers it.
 */
const replaceValues = `${insertValues}
    reported = coalesce(excluded.reported, v.reported),
    reported_at = case when excluded.reported_at is not null then excluded.reported_at
      when v.reported_at > excluded.set_at then excluded.set_at else v.reported_at end,
    set_value = excluded.set_value,
    set_at = excluded.set_at,
    pending = excluded.pending,
    ahead_at = case when greatest(v.reported_at, v.set_at, abs(v.ahead_at))
        > excluded.set_at + $9::bigint
      then greatest(v.reported_at, v.set_at, abs(v.ahead_at)) end`

/**
 * Only a value that is not older replaces what is there, or any value that replaces one of the
 * future. A report with the stamp of what was set acknowledges it, whatever the clocks were.
 */
const addValues = `${insertValues}
    reported = case when ${wins('reported_at')} then excluded.reported else v.reported end,
    reported_at = case when ${wins('reported_at')} then excluded.reported_at else v.reported_at end,
    set_value = case when ${wins('set_at')} then excluded.set_value else v.set_value end,
    set_at = case when ${wins('set_at')} then excluded.set_at else v.set_at end,
    pending = case when ${wins('set_at')} then excluded.pending else v.pending end,
    ahead_at = case when greatest(v.reported_at, v.set_at) > $9::bigint
      then greatest(v.reported_at, v.set_at, abs(v.ahead_at)) else abs(v.ahead_at) end
  where ${wins('reported_at')} or ${wins('set_at')}`

function wins(at: 'reported_at' | 'set_at'): string {
  const acknowledges = at === 'reported_at' ? ' or excluded.reported_at = v.set_at' : ''
  return `(excluded.${at} >= coalesce(v.${at}, 0) or excluded.${at} < v.${at}
      and v.${at} > $9::bigint${acknowledges})`
}

/**
 * Writes values of now; each change has `set`, since a device's write counts as that too. A
 * resource has one change: a statement may touch a row once.
 */
export function currentStatement(changes: readonly ValueChange[]): Statement {
  return { text: replaceValues, values: [...toColumns(changes), presentUntil(0)] }
}

/** Writes values that devices stamped with past times; after `presentUntilUs` is the future. */
export function pastStatement(changes: readonly ValueChange[], presentUntilUs: number): Statement {
  return { text: addValues, values: [...toColumns(changes), presentUntilUs] }
}

function toColumns(changes: readonly ValueChange[]): unknown[] {
  return [
    textArray(changes.map((change) => change.connectorId)),
    textArray(changes.map((change) => change.identity)),
    textArray(changes.map((change) => change.alias)),
    textArray(changes.map((change) => change.reported?.value ?? null)),
    int8Array(changes.map((change) => change.reported?.at ?? null)),
    textArray(changes.map((change) => change.set?.value ?? null)),
    int8Array(changes.map((change) => change.set?.at ?? null)),
    int8Array(changes.map((change) => Number(change.pending))),
  ]
}

export type ValueRow = {
  readonly identity: string
  readonly alias: string
  readonly reported: string | null
  readonly set_value: string | null
  readonly at: number
  /** True if the answer has reached its limit here; then the values are left out. */
  readonly over: boolean
}

export type StateRow = ValueRow & { readonly connector_id: string }

/**
 * The values of some devices in the order in which they are named, until `bytesMax` is reached:
 * the row that goes over it is the last one, marked and empty.
 */
export async function readStates(
  database: Queryable,
  names: readonly { readonly connectorId: string; readonly identity: string }[],
  bytesMax: number,
): Promise<StateRow[]> {
  return database.rows<StateRow>(
    `select s.connector_id, s.identity, s.alias, s.at, s.upto > $3::bigint as over,
       case when s.upto <= $3::bigint then s.reported end as reported,
       case when s.upto <= $3::bigint then s.set_value end as set_value
     from (
       select v.connector_id, v.identity, v.alias, v.reported, v.set_value,
         greatest(v.reported_at, v.set_at) as at, b.bytes,
         sum(b.bytes) over (order by n.place, v.alias) as upto
       from unnest($1::text[], $2::text[]) with ordinality as n (connector_id, identity, place)
         join provisioning_value v
           on v.connector_id = n.connector_id and v.identity = n.identity,
         lateral (select octet_length(v.alias) + coalesce(octet_length(v.reported), 0)
           + coalesce(octet_length(v.set_value), 0) as bytes) b
     ) s
     where s.upto - s.bytes <= $3::bigint
     order by s.upto`,
    [
      textArray(names.map(({ connectorId }) => connectorId)),
      textArray(names.map(({ identity }) => identity)),
      bytesMax,
    ],
  )
}

/** The same of devices of one connector. */
export function readValues(
  database: Queryable,
  connectorId: string,
  identities: readonly string[],
  bytesMax: number,
): Promise<ValueRow[]> {
  const names = identities.map((identity) => ({ connectorId, identity }))
  return readStates(database, names, bytesMax)
}

export type AliasRow = ValueRow & {
  readonly set_at: number | null
  readonly pending: boolean
  /** A stamp in the future that the value before had; negative: that this one had. */
  readonly ahead_at: number | null
}

/** Returns some values of one device, for a request by it. */
export async function readAliases(
  database: Queryable,
  connectorId: string,
  identity: string,
  aliases: readonly string[],
  bytesMax: number,
): Promise<AliasRow[]> {
  return database.rows<AliasRow>(
    `select s.identity, s.alias, s.at, s.set_at, s.pending, s.ahead_at,
       s.total > $4::bigint as over,
       case when s.total <= $4::bigint then s.reported end as reported,
       case when s.total <= $4::bigint then s.set_value end as set_value
     from (
       select identity, alias, reported, set_value, set_at, pending, ahead_at,
         greatest(reported_at, set_at) as at,
         sum(coalesce(octet_length(reported), 0) + coalesce(octet_length(set_value), 0)) over ()
           as total
       from provisioning_value
       where connector_id = $1 and identity = $2 and alias = any($3::text[])
     ) s`,
    [connectorId, identity, textArray(aliases), bytesMax],
  )
}

/** The stamps of those values that the cloud set last, and not the device; the oldest first. */
export async function readPending(
  database: Queryable,
  connectorId: string,
  identity: string,
  aliases: readonly string[],
): Promise<{ readonly alias: string; readonly at: number }[]> {
  return database.rows(
    `select alias, set_at as at from provisioning_value
     where connector_id = $1 and identity = $2 and alias = any($3::text[]) and pending
     order by set_at, alias`,
    [connectorId, identity, textArray(aliases)],
  )
}

/** Gives values that are stamped after `presentUntilUs` the time `nowUs`. */
export async function mendStamps(
  database: Queryable,
  connectorId: string,
  identity: string,
  nowUs: number,
  presentUntilUs: number,
): Promise<void> {
  await database.run(
    `update provisioning_value v set
       reported_at = case when v.reported_at > $4::bigint then $3::bigint else v.reported_at end,
       set_at = case when v.set_at > $4::bigint then $3::bigint else v.set_at end,
       ahead_at = -greatest(v.reported_at, v.set_at)
     from (
       select alias from provisioning_value
       where connector_id = $1 and identity = $2
         and greatest(reported_at, set_at) > $4::bigint
       order by alias for update
     ) ahead
     where v.connector_id = $1 and v.identity = $2 and v.alias = ahead.alias
       and greatest(v.reported_at, v.set_at) > $4::bigint`,
    [connectorId, identity, nowUs, presentUntilUs],
  )
}

export async function deleteValues(
  transaction: Transaction,
  connectorId: string,
  identities: readonly string[],
): Promise<void> {
  await transaction.run(
    'delete from provisioning_value where connector_id = $1 and identity = any($2::text[])',
    [connectorId, textArray(identities)],
  )
}
