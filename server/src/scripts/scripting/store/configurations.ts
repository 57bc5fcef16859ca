import { type Queryable, type Transaction, textArray } from '../../../foundation/database/index.ts'
import type { Configuration } from '../configurations/configuration.ts'

export type ConfigurationRow = {
  id: string
  business_id: string
  solution_id: string
  service: string
  connector: boolean
  alias: string
  parameters: Configuration['parameters']
  triggers: Configuration['triggers']
  hidden: Configuration['hidden']
  created_at: number
  updated_at: number
}

const columns = `id, business_id, solution_id, service, connector, alias, parameters, triggers,
  hidden, created_at, updated_at`

export function toConfiguration(row: ConfigurationRow): Configuration {
  return {
    id: row.id,
    businessId: row.business_id,
    solutionId: row.solution_id,
    service: row.service,
    connector: row.connector,
    alias: row.alias,
    parameters: row.parameters,
    triggers: row.triggers,
    hidden: row.hidden,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** In the order in which they were added. */
export async function readConfigurations(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
): Promise<Configuration[]> {
  const text = `
    select ${columns} from scripting_configuration
    where business_id = $1 and solution_id = $2 order by number`
  return (await queryable.rows<ConfigurationRow>(text, [businessId, solutionId])).map(
    toConfiguration,
  )
}

export async function readConfiguration(
  queryable: Queryable,
  businessId: string,
  solutionId: string,
  id: string,
): Promise<Configuration | undefined> {
  const text = `
    select ${columns} from scripting_configuration
    where business_id = $1 and solution_id = $2 and id = $3`
  const row = await queryable.one<ConfigurationRow>(text, [businessId, solutionId, id])
  return row && toConfiguration(row)
}

/** @returns false where the solution uses the alias already. */
export async function insertConfiguration(
  transaction: Transaction,
  businessId: string,
  configuration: Configuration,
): Promise<boolean> {
  const { id, solutionId, service, connector, alias, parameters, triggers, hidden } = configuration
  const json = [parameters, triggers, hidden].map((value) => JSON.stringify(value))
  const inserted = await transaction.run(
    `insert into scripting_configuration (business_id, solution_id, id, service, alias, alias_key,
      parameters, triggers, hidden, created_at, updated_at, connector)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $11)
    on conflict (solution_id, alias_key) do nothing`,
    [
      businessId,
      solutionId,
      id,
      service,
      alias,
      alias.toLowerCase(),
      ...json,
      configuration.createdAt,
      connector,
    ],
  )
  return inserted === 1
}

/** `stale`: it was changed since it was read, or is gone. */
export async function updateConfiguration(
  transaction: Transaction,
  businessId: string,
  after: Configuration,
  before: Configuration,
): Promise<'updated' | 'stale' | 'taken'> {
  const { id, solutionId, alias, parameters, triggers, hidden, updatedAt } = after
  const key = alias.toLowerCase()
  const other = await transaction.one(
    `select id from scripting_configuration
    where business_id = $1 and solution_id = $2 and alias_key = $3 and id <> $4`,
    [businessId, solutionId, key, id],
  )
  if (other !== undefined) return 'taken'
  const json = [parameters, triggers, hidden].map((value) => JSON.stringify(value))
  const updated = await transaction.run(
    `update scripting_configuration
    set alias = $4, alias_key = $5, parameters = $6, triggers = $7, hidden = $8, updated_at = $9
    where business_id = $1 and solution_id = $2 and id = $3 and updated_at = $10`,
    [businessId, solutionId, id, alias, key, ...json, updatedAt, before.updatedAt],
  )
  return updated === 1 ? 'updated' : 'stale'
}

/** @returns what it was; undefined where it is gone. */
export async function deleteConfiguration(
  transaction: Transaction,
  businessId: string,
  solutionId: string,
  id: string,
): Promise<Configuration | undefined> {
  const text = `
    delete from scripting_configuration
    where business_id = $1 and solution_id = $2 and id = $3 returning ${columns}`
  const row = await transaction.one<ConfigurationRow>(text, [businessId, solutionId, id])
  return row && toConfiguration(row)
}

/** A service's view of its own configurations, of all owners. A connector is none of them. */
export async function readOfService(
  queryable: Queryable,
  service: string,
  id: string,
): Promise<Configuration | undefined> {
  const text = `
    select ${columns} from scripting_configuration
    where service = $1 and id = $2 and not connector`
  const row = await queryable.one<ConfigurationRow>(text, [service, id])
  return row && toConfiguration(row)
}

export async function readOfSolution(
  queryable: Queryable,
  service: string,
  solutionId: string,
): Promise<Configuration[]> {
  const text = `
    select ${columns} from scripting_configuration
    where service = $1 and solution_id = $2 and not connector order by number`
  return (await queryable.rows<ConfigurationRow>(text, [service, solutionId])).map(toConfiguration)
}

/** Reads those that hold all of these parameters, oldest first, and how many there are. */
export async function readPageOfService(
  queryable: Queryable,
  service: string,
  page: { businessId: string | undefined; parameters: string; offset: number; limit: number },
): Promise<{ items: Configuration[]; total: number }> {
  const { businessId = null, parameters, offset, limit } = page
  const condition = `service = $1 and not connector and parameters @> $2::jsonb
    and ($3::text is null or business_id = $3)`
  const [rows, count] = await Promise.all([
    queryable.rows<ConfigurationRow>(
      `select ${columns} from scripting_configuration where ${condition}
      order by number offset $4 limit $5`,
      [service, parameters, businessId, offset, limit],
    ),
    queryable.one<{ count: number }>(
      `select count(*) as count from scripting_configuration where ${condition}`,
      [service, parameters, businessId],
    ),
  ])
  return { items: rows.map(toConfiguration), total: count?.count ?? 0 }
}

/** Takes an exposed solution away from all that have it. @returns what they had. */
export async function deleteOfService(
  transaction: Transaction,
  service: string,
): Promise<Configuration[]> {
  const text = `
    delete from scripting_configuration where service = $1 and not connector returning ${columns}`
  return (await transaction.rows<ConfigurationRow>(text, [service])).map(toConfiguration)
}

/** Counts a change of each of these solutions. */
export async function raiseVersions(
  transaction: Transaction,
  configurations: readonly Configuration[],
  at: number,
): Promise<void> {
  const ids = [...new Set(configurations.map(({ solutionId }) => solutionId))].sort()
  if (ids.length === 0) return
  await transaction.run(
    `update scripting_solution set version = version + 1, updated_at = $2
    where id = any ($1::text[])`,
    [textArray(ids), at],
  )
}

export type SubscriptionRow = {
  readonly service: string
  readonly business_id: string
  readonly solution_id: string
}

/** Reads the solutions that have these connectors among their services. */
export function readSubscriptions(
  queryable: Queryable,
  connectorIds: readonly string[],
): Promise<SubscriptionRow[]> {
  return queryable.rows(
    `select service, business_id, solution_id from scripting_configuration
     where service = any($1::text[]) and connector order by service, solution_id`,
    [textArray(connectorIds)],
  )
}
