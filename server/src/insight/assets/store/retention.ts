import { int8Array, type Queryable, type Transaction } from '../../../foundation/database/index.ts'

/** The time for which retention waits for the lock of a week of values; it tries again later. */
const partitionLockMsMax = 500

const weekUs = 7 * 24 * 3_600 * 1_000_000
const prefix = 'assets_value_w'

/** The week of a time, counted from 1970-01-01. */
export function toWeek(us: number): number {
  return Math.floor(us / weekUs)
}

/** Waits until nobody else makes or drops partitions. */
export function holdPartitioning(transaction: Transaction) {
  return transaction.one('select id from assets_partitioning where id = 1 for update')
}

const selectPartitions = `
select c.relname as name
from pg_inherits i
join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'assets_value'::regclass`

/** The weeks that have a partition, in order. */
export async function partitionWeeks(queryable: Queryable): Promise<number[]> {
  const rows = await queryable.rows<{ name: string }>(selectPartitions)
  return rows
    .filter((row) => row.name.startsWith(prefix))
    .map((row) => Number(row.name.slice(prefix.length)))
    .sort((a, b) => a - b)
}

/** Makes the week's partition, with what the default one holds of that week. */
export async function addPartition(transaction: Transaction, week: number): Promise<void> {
  const name = partitionName(week)
  const range = [week * weekUs, (week + 1) * weekUs]
  // No row may be added to the default partition between the move and the attachment. Writers must
  // wait at the parent: one that waited at the default one would have chosen it before, and fail.
  await transaction.run('lock table only assets_value in share row exclusive mode')
  await transaction.run('lock table assets_value_default in access exclusive mode')
  await transaction.run(`create table ${name} (like assets_value including all)`)
  await transaction.run(
    `insert into ${name} (signal_key, ts, v, t)
     select signal_key, ts, v, t from assets_value_default where ts >= $1 and ts < $2`,
    range,
  )
  await transaction.run('delete from assets_value_default where ts >= $1 and ts < $2', range)
  await transaction.run(
    `alter table assets_value attach partition ${name}
     for values from (${range[0]}) to (${range[1]})`,
  )
}

/**
 * Drops a week's partition. That needs a lock on all values, and whoever waits for one holds up the
 * writers behind it: so it waits for a moment only.
 * @throws an error `55P03` if somebody reads or writes for longer.
 */
export async function dropPartition(transaction: Transaction, week: number): Promise<void> {
  await transaction.run(`set local lock_timeout = ${partitionLockMsMax}`)
  await transaction.run(`drop table ${partitionName(week)}`)
}

/** The tables that hold values of before a time. */
export function partitionsBefore(weeks: readonly number[], beforeUs: number): string[] {
  const old = weeks.filter((week) => week <= toWeek(beforeUs)).map(partitionName)
  return ['assets_value_default', ...old]
}

function partitionName(week: number): string {
  if (!Number.isSafeInteger(week) || week < 0) throw new RangeError(`no partition for ${week}`)
  return `${prefix}${week}`
}

// Each step removes about $2 rows: those up to the time of the row that many further.
const deleteDefault = `
delete from assets_value_default
where ts < $1 and ts <= coalesce((
  select ts from assets_value_default where ts < $1 order by ts limit 1 offset $2
), $1)`

export function dropDefaultBefore(queryable: Queryable, us: number, rowsMax: number) {
  return queryable.run(deleteDefault, [us, rowsMax])
}

const deleteEvents = `
delete from assets_event
where at < $1 and at <= coalesce((
  select at from assets_event where at < $1 order by at limit 1 offset $2
), $1)`

export function dropEventsBefore(queryable: Queryable, us: number, rowsMax: number) {
  return queryable.run(deleteEvents, [us, rowsMax])
}

const selectRemoved = `
select signal_key as key from assets_removed where at < $1 order by signal_key limit $2`

/** Signals that were removed before a time. */
export async function removedBefore(queryable: Queryable, us: number, max: number) {
  const rows = await queryable.rows<{ key: number }>(selectRemoved, [us, max])
  return rows.map((row) => row.key)
}

const deleteValues = `
delete from assets_value
where signal_key = $1 and ts <= coalesce((
  select ts from assets_value where signal_key = $1 order by ts limit 1 offset $2
), 9223372036854775807)`

export function dropValues(queryable: Queryable, key: number, rowsMax: number) {
  return queryable.run(deleteValues, [key, rowsMax])
}

const deleteLatest = 'delete from assets_latest where signal_key = any($1::bigint[])'
const deleteRemoved = 'delete from assets_removed where signal_key = any($1::bigint[])'

/** Nothing is left of these signals. */
export async function forgetRemoved(transaction: Transaction, keys: readonly number[]) {
  await transaction.run(deleteLatest, [int8Array(keys)])
  await transaction.run(deleteRemoved, [int8Array(keys)])
}
