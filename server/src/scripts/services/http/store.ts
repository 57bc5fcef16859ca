import {
  type BusinessRows,
  type Database,
  rowsByIndex,
} from '../../../foundation/database/index.ts'

/** The SQL of this module. */
export function createStore(database: Database) {
  return {
    /** In the order in which they were given. */
    entries: async (businessId: string, max: number): Promise<string[]> => {
      const rows = await database.rows<{ entry: string }>(
        `select entry from http_allow where business_id = $1
        order by created_at, entry limit $2`,
        [businessId, max],
      )
      return rows.map(({ entry }) => entry)
    },
    /** @returns how many were added: 0 where it is there, or there are `max` already. */
    addEntry: (businessId: string, entry: string, at: number, max: number): Promise<number> =>
      database.run(
        `insert into http_allow (business_id, entry, created_at)
        select $1::text, $2::text, $3::bigint
        where (select count(*) from http_allow where business_id = $1) < $4
        on conflict do nothing`,
        [businessId, entry, at, max],
      ),
    removeEntry: (businessId: string, entry: string): Promise<number> =>
      database.run('delete from http_allow where business_id = $1 and entry = $2', [
        businessId,
        entry,
      ]),
  }
}

/** Everything of a business. */
export const httpRows: BusinessRows = rowsByIndex('http_allow')
