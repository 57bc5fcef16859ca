import {
  type BusinessRows,
  type Database,
  type Queryable,
  rowsByIndex,
} from '../../foundation/database/index.ts'

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
