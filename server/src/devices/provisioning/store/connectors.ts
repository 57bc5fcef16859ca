import type { Queryable, Transaction } from '../../../foundation/database/index.ts'
import { type Connector, defaultSettings, type Settings } from '../connectors/connector.ts'
import type { Resource } from '../values/resource.ts'

type Row = {
  id: string
  business_id: string
  settings: Omit<Settings, 'resources'> & { readonly resources: readonly Resource[] }
}

const columns = 'id, business_id, settings'

function fromRow({ id, business_id: businessId, settings }: Row): Connector {
  const resources = new Map(settings.resources.map((resource) => [resource.alias, resource]))
  return { ...defaultSettings(), ...settings, id, businessId, resources }
}

/** The settings alone, also of a connector. */
function toJson(settings: Settings): string {
  const names = Object.keys(defaultSettings()) as readonly (keyof Settings)[]
  const stored = Object.fromEntries(names.map((name) => [name, settings[name]]))
  return JSON.stringify({ ...stored, resources: [...settings.resources.values()] })
}

export async function countConnectors(queryable: Queryable, businessId: string): Promise<number> {
  const row = await queryable.one<{ count: number }>(
    'select count(*) as count from provisioning_connector where business_id = $1',
    [businessId],
  )
  return row?.count ?? 0
}

/** @returns false where the id is in use, here or elsewhere. */
export async function insertConnector(
  transaction: Transaction,
  businessId: string,
  id: string,
  settings: Settings,
  at: number,
): Promise<boolean> {
  const inserted = await transaction.run(
    `insert into provisioning_connector (id, business_id, settings, created_at)
     values ($1, $2, $3::jsonb, $4) on conflict (id) do nothing`,
    [id, businessId, toJson(settings), at],
  )
  return inserted === 1
}

/** Periods of values in hours, by connectors that have one; of all businesses without one. */
export async function readRetentions(
  queryable: Queryable,
  businessId?: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryable.rows<{ id: string; hours: number }>(
    `select id, retention_hours as hours from provisioning_connector
     where retention_hours is not null and ($1::text is null or business_id = $1)`,
    [businessId ?? null],
  )
  return new Map(rows.map(({ id, hours }) => [id, hours]))
}

/** @returns 0 if the business has no such connector. */
export function writeRetention(
  queryable: Queryable,
  businessId: string,
  id: string,
  hours: number | null,
): Promise<number> {
  return queryable.run(
    `update provisioning_connector set retention_hours = $3::bigint
     where business_id = $1 and id = $2`,
    [businessId, id, hours],
  )
}

/** By its id alone, for the device API, which has the id from the host, and no business yet. */
export async function readConnector(
  database: Queryable,
  id: string,
): Promise<Connector | undefined> {
  const row = await database.one<Row>(
    `select ${columns} from provisioning_connector where id = $1`,
    [id],
  )
  return row && fromRow(row)
}

/** Locks a connector of the business until the end of the transaction. */
export async function lockConnector(
  transaction: Transaction,
  businessId: string,
  id: string,
): Promise<Connector | undefined> {
  const row = await transaction.one<Row>(
    `select ${columns} from provisioning_connector where business_id = $1 and id = $2 for update`,
    [businessId, id],
  )
  return row && fromRow(row)
}

export async function updateConnector(
  transaction: Transaction,
  businessId: string,
  id: string,
  settings: Settings,
): Promise<void> {
  await transaction.run(
    'update provisioning_connector set settings = $3::jsonb where business_id = $1 and id = $2',
    [businessId, id, toJson(settings)],
  )
}

export async function listConnectors(
  database: Queryable,
  businessId: string,
  rowsMax: number,
): Promise<Connector[]> {
  const rows = await database.rows<Row>(
    `select ${columns} from provisioning_connector
     where business_id = $1 order by created_at, id limit $2`,
    [businessId, rowsMax],
  )
  return rows.map(fromRow)
}
