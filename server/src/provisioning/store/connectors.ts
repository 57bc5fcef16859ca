import type { Queryable, Transaction } from '../../database/index.ts'
import type { Pki } from '../certificates/pki.ts'
import type { Connector, ProtocolName, Settings } from '../connectors/connector.ts'
import type { IpRestriction } from '../connectors/ip-restriction.ts'
import type { AuthType } from '../credentials/auth-type.ts'
import type { IdentityFormat } from '../identities/identity-format.ts'
import type { Reprovision } from '../rotation/reprovision.ts'
import type { Resource } from '../values/resource.ts'

type Row = {
  id: string
  business_id: string
  name: string
  description: string
  auth_type: AuthType
  devmode: boolean
  enabled: boolean
  identity_prefix: string
  identity_type: IdentityFormat['type']
  identity_casing: IdentityFormat['casing']
  identity_length: number | null
  self_registration: boolean
  identities_max: number
  registrations_per_minute: number
  protocol_name: ProtocolName
  presenter_identity: boolean
  ip_restriction: IpRestriction
  pki: Pki
  reprovision: Reprovision
  resources: readonly Resource[]
}

const columns = `id, business_id, name, description, auth_type, devmode, enabled, identity_prefix,
  identity_type, identity_casing, identity_length, self_registration, resources,
  ip_restriction, pki, reprovision, identities_max, registrations_per_minute,
  protocol_name, presenter_identity`

function fromRow(row: Row): Connector {
  return {
    id: row.id,
    businessId: row.business_id,
    name: row.name,
    description: row.description,
    authType: row.auth_type,
    devmode: row.devmode,
    enabled: row.enabled,
    identityFormat: {
      prefix: row.identity_prefix,
      type: row.identity_type,
      casing: row.identity_casing,
      length: row.identity_length,
    },
    selfRegistration: row.self_registration,
    identitiesMax: row.identities_max,
    registrationsPerMinute: row.registrations_per_minute,
    protocolName: row.protocol_name,
    presenterIdentity: row.presenter_identity,
    ipRestriction: row.ip_restriction,
    pki: row.pki,
    reprovision: row.reprovision,
    resources: new Map(row.resources.map((resource) => [resource.alias, resource])),
  }
}

/** In the order of `settingColumns`. */
function toValues(settings: Settings): readonly unknown[] {
  const { identityFormat } = settings
  return [
    settings.name,
    settings.description,
    settings.authType,
    settings.devmode,
    settings.enabled,
    identityFormat.prefix,
    identityFormat.type,
    identityFormat.casing,
    identityFormat.length,
    settings.selfRegistration,
    JSON.stringify([...settings.resources.values()]),
    JSON.stringify(settings.ipRestriction),
    JSON.stringify(settings.pki),
    JSON.stringify(settings.reprovision),
    settings.identitiesMax,
    settings.registrationsPerMinute,
    settings.protocolName,
    settings.presenterIdentity,
  ]
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
    `insert into provisioning_connector
       (id, business_id, name, description, auth_type, devmode, enabled, identity_prefix,
        identity_type, identity_casing, identity_length, self_registration, resources,
        ip_restriction, pki, reprovision, identities_max, registrations_per_minute,
        protocol_name, presenter_identity, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, $14::jsonb,
       $15::jsonb, $16::jsonb, $17, $18, $19, $20, $21)
     on conflict (id) do nothing`,
    [id, businessId, ...toValues(settings), at],
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

/** One of the business's own, locked until the end of the transaction. */
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
    `update provisioning_connector set
       name = $3, description = $4, auth_type = $5, devmode = $6, enabled = $7,
       identity_prefix = $8, identity_type = $9, identity_casing = $10, identity_length = $11,
       self_registration = $12, resources = $13::jsonb,
       ip_restriction = $14::jsonb, pki = $15::jsonb,
       reprovision = $16::jsonb, identities_max = $17, registrations_per_minute = $18,
       protocol_name = $19, presenter_identity = $20
     where business_id = $1 and id = $2`,
    [businessId, id, ...toValues(settings)],
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
