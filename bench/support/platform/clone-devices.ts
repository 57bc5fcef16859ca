import {
  hashToken,
  newToken,
  newUuid,
  systemRandom,
} from '../../../server/src/foundation/kernel/index.ts'
import type { Platform } from '../../../server/src/platform/platform.ts'

const atOnce = 10_000

/**
 * Copies the rows of a device that was made in the product's way, so that a fleet of a million is
 * there in minutes: identity, presence, asset and signal, each with a name and a token of its own.
 * @returns the tokens, in the order of `identities`.
 */
export async function cloneDevices(
  { database }: Platform,
  model: { readonly connectorId: string; readonly identity: string },
  identities: readonly string[],
): Promise<string[]> {
  const tokens = identities.map(() => newToken(systemRandom))
  const columns = new Map<string, string>()
  const tables = [
    'provisioning_identity',
    'provisioning_presence',
    'assets_asset',
    'assets_signal',
  ] as const
  for (const table of tables) {
    const [found] = await database.rows<{ names: string }>(storedColumns, [table])
    columns.set(table, found?.names ?? '')
  }
  const copy = (table: (typeof tables)[number], from: string, changed: string) => `
    insert into ${table} (${columns.get(table)?.replaceAll('made.', '')})
    select ${columns.get(table)}
    from (${from}) m, rows n, lateral jsonb_populate_record(
      null::${table}, to_jsonb(m) || jsonb_build_object(${changed})
    ) made`
  const statement = `
    with rows as (
      select * from unnest($3::text[], $4::text[], $5::text[], $6::text[])
        with ordinality n (identity, hash, asset, signal, at)
    ), identities as (${copy(
      'provisioning_identity',
      `select * from provisioning_identity where connector_id = $1 and identity = $2`,
      `'identity', n.identity, 'credential', n.hash`,
    )}), presences as (${copy(
      'provisioning_presence',
      `select * from provisioning_presence where connector_id = $1 and identity = $2`,
      `'identity', n.identity`,
    )}), assets as (${copy(
      'assets_asset',
      `select * from assets_asset where connector_id = $1 and identity = $2`,
      `'id', n.asset, 'name', n.identity, 'identity', n.identity`,
    )})
    ${copy(
      'assets_signal',
      `select s.* from assets_signal s join assets_asset a
         on a.business_id = s.business_id and a.id = s.asset_id
       where a.connector_id = $1 and a.identity = $2`,
      `'id', n.signal, 'asset_id', n.asset`,
    )}`
  // Without it the foreign keys are checked by reading the whole tables.
  await database.run('analyze')
  const uuid = () => newUuid(systemRandom, Date.now())
  for (let at = 0; at < identities.length; at += atOnce) {
    const some = identities.slice(at, at + atOnce)
    const hashes = tokens.slice(at, at + atOnce).map((token) => hashToken(token))
    const ids = [some.map(uuid), some.map(uuid)]
    await database.run(statement, [model.connectorId, model.identity, some, hashes, ...ids])
  }
  return tokens
}

/** The columns that the table does not make itself. */
const storedColumns = `
select string_agg('made.' || column_name, ', ') as names
from information_schema.columns
where table_schema = current_schema() and table_name = $1
  and is_generated = 'NEVER' and is_identity = 'NO'`
