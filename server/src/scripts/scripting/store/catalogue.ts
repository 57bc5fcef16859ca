import { type Queryable, searchPattern } from '../../../foundation/database/index.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { OffersQuery } from '../scripting-api.ts'
import { type ConfigurationRow, toConfiguration } from './configurations.ts'

/**
 * A definition may have 256 KiB. A list needs neither its operations and events nor the payload
 * schemas of its parameters, and a business must not learn whom else the whitelist names.
 */
const summary = `parameters - array['operations', 'events', 'whitelist'] || jsonb_build_object(
  'parameters', (
    select coalesce(jsonb_agg(jsonb_build_object('name', one -> 'name', 'type', one -> 'type')
      order by place), '[]'::jsonb)
    from jsonb_array_elements(parameters -> 'parameters') with ordinality part (one, place)
  ))`

const condition = `service = 'interface' and not connector
  and (business_id = $1 or parameters -> 'whitelist' ? $1)
  and ($2::text is null or parameters -> 'tags' ? $2)
  and ($3::text is null or solution_id ilike $3 or exists (
    select from unnest(array[
      '$.name', '$.default_script_key', '$.description', '$.tags[*]'
    ]::jsonpath[]) path, jsonb_path_query(parameters, path) found
    where found #>> '{}' ilike $3
  ))`

/** Reads the exposed solutions that a business may use, oldest first, and counts them. */
export async function readOffers(
  queryable: Queryable,
  businessId: string,
  { text, tag, offset, limit }: OffersQuery,
): Promise<{ items: Configuration[]; total: number }> {
  const values = [businessId, tag ?? null, text === undefined ? null : searchPattern(text)]
  const [rows, count] = await Promise.all([
    queryable.rows<ConfigurationRow>(
      `select id, business_id, solution_id, service, connector, alias, ${summary} as parameters,
        triggers, hidden, created_at, updated_at
      from scripting_configuration where ${condition} order by number offset $4 limit $5`,
      [...values, offset, limit],
    ),
    queryable.one<{ count: number }>(
      `select count(*) as count from scripting_configuration where ${condition}`,
      values,
    ),
  ])
  return { items: rows.map(toConfiguration), total: count?.count ?? 0 }
}
