import { type Database, int8Array, textArray } from '../../../foundation/database/index.ts'

/** A window as it stands after what was added; `startedMs` is in milliseconds since 1970. */
export type StoredWindow = {
  readonly holder: string
  readonly startedMs: number
  readonly requests: number
  readonly usedUs: number
  readonly cost: number
}

/** The additions of a process for a caller: requests that begin, and the use of ended ones. */
export type WindowUse = {
  readonly holder: string
  readonly requests: number
  readonly usedUs: number
  readonly cost: number
}

/** The SQL of the windows in which the requests of callers count. */
export function createWindowStore(database: Database) {
  return {
    /** Adds to the windows that are open, and opens the others. */
    count: (uses: readonly WindowUse[], nowMs: number, windowMs: number) =>
      database.rows<StoredWindow>(
        `insert into accounts_window as held (holder, started_at, requests, used_us, cost)
         select holder, $5, requests, used_us, cost
         from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
           as added (holder, requests, used_us, cost)
         order by holder
         on conflict (holder) do update set
           started_at = case when abs($5 - held.started_at) < $6
             then held.started_at else $5 end,
           requests = case when abs($5 - held.started_at) < $6
             then held.requests + excluded.requests else excluded.requests end,
           used_us = case when abs($5 - held.started_at) < $6
             then held.used_us + excluded.used_us else 0 end,
           cost = case when abs($5 - held.started_at) < $6
             then held.cost + excluded.cost else 0 end
         returning holder, started_at as "startedMs", requests,
           used_us as "usedUs", cost`,
        [...toColumns(uses), nowMs, windowMs],
      ),
    /** Adds what was used to the windows that are still open. */
    addUsed: (uses: readonly WindowUse[], nowMs: number, windowMs: number) =>
      database.run(
        `update accounts_window as held set used_us = held.used_us + added.used_us,
           cost = held.cost + added.cost
         from (
           select holder, used_us, cost
           from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])
             as added (holder, requests, used_us, cost)
           order by holder
         ) as added
         where held.holder = added.holder and abs($5 - held.started_at) < $6`,
        [...toColumns(uses), nowMs, windowMs],
      ),
    removeUntil: (untilMs: number) =>
      database.run('delete from accounts_window where started_at <= $1', [untilMs]),
  }
}

export type WindowStore = ReturnType<typeof createWindowStore>

function toColumns(uses: readonly WindowUse[]) {
  return [
    textArray(uses.map(({ holder }) => holder)),
    int8Array(uses.map(({ requests }) => requests)),
    int8Array(uses.map(({ usedUs }) => usedUs)),
    int8Array(uses.map(({ cost }) => cost)),
  ]
}
