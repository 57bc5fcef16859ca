import {
  type BusinessRows,
  type Database,
  int8Array,
  type Queryable,
  rowsByIndex,
  textArray,
} from '../database/index.ts'

/** A window as it stands after what was added; `startedMs` is in milliseconds since 1970. */
export type StoredWindow = {
  readonly holder: string
  readonly startedMs: number
  readonly requests: number
  readonly usedUs: number
}

/** What one process adds for a token: requests that begin, and times of others that ended. */
export type WindowUse = {
  readonly holder: string
  readonly requests: number
  readonly usedUs: number
}

/** The SQL of this module. */
export function createStore(database: Database) {
  return {
    /** Adds to the windows that are open, and opens the others. */
    count: (uses: readonly WindowUse[], nowMs: number, windowMs: number) =>
      database.rows<StoredWindow>(
        `insert into graphql_window as held (token_id, started_at, requests, used_us)
         select token_id, $4, requests, used_us
         from unnest($1::text[], $2::bigint[], $3::bigint[]) as added (token_id, requests, used_us)
         order by token_id
         on conflict (token_id) do update set
           started_at = case when abs($4 - held.started_at) < $5
             then held.started_at else $4 end,
           requests = case when abs($4 - held.started_at) < $5
             then held.requests + excluded.requests else excluded.requests end,
           used_us = case when abs($4 - held.started_at) < $5
             then held.used_us + excluded.used_us else 0 end
         returning token_id as "holder", started_at as "startedMs", requests,
           used_us as "usedUs"`,
        [...columnsOf(uses), nowMs, windowMs],
      ),
    /** Adds times to the windows that are still open. */
    addTimes: (uses: readonly WindowUse[], nowMs: number, windowMs: number) =>
      database.run(
        `update graphql_window as held set used_us = held.used_us + added.used_us
         from (
           select token_id, used_us
           from unnest($1::text[], $2::bigint[], $3::bigint[])
             as added (token_id, requests, used_us)
           order by token_id
         ) as added
         where held.token_id = added.token_id and abs($4 - held.started_at) < $5`,
        [...columnsOf(uses), nowMs, windowMs],
      ),
    removeUntil: (untilMs: number) =>
      database.run('delete from graphql_window where started_at <= $1', [untilMs]),
  }
}

export type WindowStore = ReturnType<typeof createStore>

function columnsOf(uses: readonly WindowUse[]) {
  return [
    textArray(uses.map(({ holder }) => holder)),
    int8Array(uses.map(({ requests }) => requests)),
    int8Array(uses.map(({ usedUs }) => usedUs)),
  ]
}

/** The business, the sender, and the name that the sender gave. */
type RepeatKey = readonly [businessId: string, subject: string, clientMutationId: string]

export type StoredAnswer = { readonly digest: string; readonly answer: string }

/** The SQL of mutations that are sent again. Answers from before `oldestUs` are none. */
export function createRepeatStore(database: Database) {
  return {
    find: (queryable: Queryable, key: RepeatKey, oldestUs: number) =>
      queryable.one<StoredAnswer>(
        `select digest, answer from graphql_mutation
         where business_id = $1 and subject = $2 and client_mutation_id = $3 and at >= $4`,
        [...key, oldestUs],
      ),
    /** False if there is an answer, once whoever makes one now has ended. */
    claim: async (
      queryable: Queryable,
      key: RepeatKey,
      { digest, nowUs, oldestUs }: { digest: string; nowUs: number; oldestUs: number },
    ) =>
      (await queryable.run(
        `insert into graphql_mutation as m
           (business_id, subject, client_mutation_id, digest, answer, at)
         values ($1, $2, $3, $4, '', $5)
         on conflict (business_id, subject, client_mutation_id) do update set
           digest = excluded.digest, answer = '', at = excluded.at
         where m.at < $6`,
        [...key, digest, nowUs, oldestUs],
      )) > 0,
    keep: (queryable: Queryable, key: RepeatKey, answer: string) =>
      queryable.run(
        `update graphql_mutation set answer = $4
         where business_id = $1 and subject = $2 and client_mutation_id = $3`,
        [...key, answer],
      ),
    /** Counts the answers of a business, at most `most`. */
    count: async (businessId: string, oldestUs: number, most: number) =>
      (
        await database.one<{ count: number }>(
          `select count(*) as count from (
             select 1 from graphql_mutation where business_id = $1 and at >= $2 limit $3
           ) as kept`,
          [businessId, oldestUs, most],
        )
      )?.count ?? 0,
    removeUntil: (oldestUs: number) =>
      database.run('delete from graphql_mutation where at < $1', [oldestUs]),
  }
}

/** Everything of a business. */
export const graphqlRows: BusinessRows = rowsByIndex('graphql_mutation')
