import { type Database, type Transaction, textArray } from '../../../foundation/database/index.ts'

/** The units that a user prefers for a type of data. */
export type PreferredUnits = { readonly dataType: string; readonly units: 'metric' | 'us' }

export function preferenceStore(database: Database) {
  return {
    preferredUnits: (businessId: string, userId: string) =>
      database.rows<PreferredUnits>(
        `select data_type as "dataType", units from accounts_preferred_units
        where business_id = $1 and user_id = $2 order by data_type`,
        [businessId, userId],
      ),
    /** Replaces those of the same types. */
    putPreferredUnits: (
      transaction: Transaction,
      businessId: string,
      userId: string,
      preferred: readonly PreferredUnits[],
    ) =>
      transaction.run(
        `insert into accounts_preferred_units (business_id, user_id, data_type, units)
        select u.business_id, u.id, p.data_type, p.units
        from accounts_user u, unnest($3::text[], $4::text[]) as p (data_type, units)
        where u.business_id = $1 and u.id = $2
        on conflict (business_id, user_id, data_type) do update set units = excluded.units`,
        [
          businessId,
          userId,
          textArray(preferred.map(({ dataType }) => dataType)),
          textArray(preferred.map(({ units }) => units)),
        ],
      ),
    removePreferredUnits: (
      transaction: Transaction,
      businessId: string,
      userId: string,
      dataTypes: readonly string[],
    ) =>
      transaction.run(
        `delete from accounts_preferred_units
        where business_id = $1 and user_id = $2 and data_type = any($3::text[])`,
        [businessId, userId, textArray(dataTypes)],
      ),
  }
}
