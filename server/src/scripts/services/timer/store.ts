import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import type { Repetition, Timer } from './timer.ts'

type TimerRow = {
  readonly solution_id: string
  readonly timer_id: string
  readonly business_id: string
  readonly alias: string
  readonly message: string
  readonly due_at: number
  readonly every_us: number | null
  readonly schedule: string | null
  readonly timezone: string | null
}

/** A timer, and when it was set. */
export type PutTimer = Timer & { readonly putAt: number }

/** Takes the solution's turn: nobody else sets or removes its timers until this one ends. */
async function takeTurn(transaction: Transaction, solutionId: string): Promise<void> {
  await transaction.run(
    'insert into timer_solution (solution_id) values ($1) on conflict do nothing',
    [solutionId],
  )
  await transaction.run(
    'select solution_id from timer_solution where solution_id = $1 for update',
    [solutionId],
  )
}

/** Counts the solution's timers and blocks new ones until the transaction ends. */
export async function countTimers(
  transaction: Transaction,
  solutionId: string,
  but: string,
): Promise<number> {
  await takeTurn(transaction, solutionId)
  const row = await transaction.one<{ count: number }>(
    'select count(*) from timer_timer where solution_id = $1 and timer_id <> $2',
    [solutionId, but],
  )
  return row?.count ?? 0
}

export async function putTimer(
  transaction: Transaction,
  timer: Timer,
  nowUs: number,
): Promise<void> {
  const { repeats } = timer
  await transaction.run(
    `insert into timer_timer (solution_id, timer_id, business_id, alias, message, due_at,
       every_us, schedule, timezone, put_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (solution_id, timer_id) do update
     set alias = excluded.alias, message = excluded.message, due_at = excluded.due_at,
       every_us = excluded.every_us, schedule = excluded.schedule, timezone = excluded.timezone,
       put_at = excluded.put_at`,
    [
      timer.solutionId,
      timer.timerId,
      timer.businessId,
      timer.alias,
      JSON.stringify(timer.message),
      timer.dueAt,
      repeats?.kind === 'interval' ? repeats.everyUs : null,
      repeats?.kind === 'schedule' ? repeats.schedule : null,
      repeats?.kind === 'schedule' ? repeats.timezone : null,
      nowUs,
    ],
  )
}

/** Locks the timers that are due; other processes skip them until this transaction ends. */
export async function takeDue(
  transaction: Transaction,
  nowUs: number,
  rowsMax: number,
): Promise<Timer[]> {
  const rows = await transaction.rows<TimerRow>(
    `select solution_id, timer_id, business_id, alias, message, due_at, every_us, schedule,
       timezone
     from timer_timer where due_at <= $1 order by due_at limit $2
     for update skip locked`,
    [nowUs, rowsMax],
  )
  return rows.map(toTimer)
}

/** Timers that were set after `presentUntilUs`, by a clock that ran ahead. */
export async function takeAhead(
  transaction: Transaction,
  presentUntilUs: number,
  rowsMax: number,
): Promise<PutTimer[]> {
  const rows = await transaction.rows<TimerRow & { readonly put_at: number }>(
    `select solution_id, timer_id, business_id, alias, message, due_at, every_us, schedule,
       timezone, put_at
     from timer_timer where put_at > $1 order by put_at limit $2
     for update skip locked`,
    [presentUntilUs, rowsMax],
  )
  return rows.map((row) => ({ ...toTimer(row), putAt: row.put_at }))
}

/** Returns the next due time; undefined if there is no timer. */
export async function nextDue(database: Queryable): Promise<number | undefined> {
  const row = await database.one<{ due_at: number | null }>(
    'select min(due_at) as due_at from timer_timer',
  )
  return row?.due_at ?? undefined
}

/** @returns how many were there. */
export async function deleteTimer(
  database: Queryable,
  solutionId: string,
  timerId: string,
): Promise<number> {
  return database.run('delete from timer_timer where solution_id = $1 and timer_id = $2', [
    solutionId,
    timerId,
  ])
}

export async function removeSolution(transaction: Transaction, solutionId: string): Promise<void> {
  await takeTurn(transaction, solutionId)
  await deleteTimers(transaction, solutionId)
  await transaction.run('delete from timer_solution where solution_id = $1', [solutionId])
}

/** Deletes those whose ids begin so, or all others. @returns how many were there. */
export async function deleteByPrefix(
  database: Queryable,
  solutionId: string,
  prefix: string,
  begins: boolean,
): Promise<number> {
  return database.run(
    'delete from timer_timer where solution_id = $1 and starts_with(timer_id, $2) = $3::boolean',
    [solutionId, prefix, begins],
  )
}

export async function deleteTimers(database: Queryable, solutionId: string): Promise<number> {
  return database.run('delete from timer_timer where solution_id = $1', [solutionId])
}

function toTimer(row: TimerRow): Timer {
  return {
    businessId: row.business_id,
    solutionId: row.solution_id,
    timerId: row.timer_id,
    alias: row.alias,
    message: JSON.parse(row.message),
    dueAt: row.due_at,
    repeats: toRepetition(row),
  }
}

function toRepetition({ every_us, schedule, timezone }: TimerRow): Repetition | undefined {
  if (every_us !== null) return { kind: 'interval', everyUs: every_us }
  if (schedule === null) return undefined
  return { kind: 'schedule', schedule, timezone: timezone ?? 'UTC' }
}

/** Counts the timers of a solution. */
export async function readTimerCount(queryable: Queryable, solutionId: string): Promise<number> {
  const row = await queryable.one<{ count: number }>(
    'select count(*) from timer_timer where solution_id = $1',
    [solutionId],
  )
  return row?.count ?? 0
}
