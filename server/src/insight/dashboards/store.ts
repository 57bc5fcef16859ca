import {
  type BusinessRows,
  type Queryable,
  readDependants,
  rowsByIndex,
} from '../../foundation/database/index.ts'
import type { Dependants } from '../../foundation/kernel/index.ts'
import { andSeen, movesRows, seenValues, type View } from '../../people/groups/index.ts'
import type { DashboardDocument, Panel } from './document.ts'
import type { Dashboard, ListedDashboard } from './types.ts'

const times = `d.version, d.created_at as "createdAt", d.created_by as "createdBy",
  d.changed_at as "changedAt", d.changed_by as "changedBy"`

/** In the order in which they were made; those with the letters in their name or description. */
export function dashboardPage(
  queryable: Queryable,
  view: View,
  wanted: { readonly text: string | undefined; readonly limit: number; readonly offset: number },
): Promise<ListedDashboard[]> {
  const statement = `
    select d.id, ${times}, d.name, d.description, d.panel_count as panels
    from dashboards_dashboard d
    where d.business_id = $1
      and ($2::text is null or position(lower($2) in lower(d.name || ' ' || d.description)) > 0)
      ${andSeen(view, 'd.group_id', 5)}
    order by d.number limit $3 offset $4`
  const { text = null, limit, offset } = wanted
  const values = [view.businessId, text, limit, offset, ...seenValues(view)]
  return queryable.rows<ListedDashboard>(statement, values)
}

type Row = Omit<Dashboard, 'document'> & {
  readonly name: string
  readonly description: string
  readonly period: DashboardDocument['period']
  readonly panels: string
}

/** @param holds whether others that change it wait until the transaction ends */
export async function readDashboard(
  queryable: Queryable,
  view: View,
  id: string,
  holds = false,
): Promise<Dashboard | undefined> {
  const statement = `
    select d.id, ${times}, d.name, d.description, d.period, d.panels
    from dashboards_dashboard d
    where d.business_id = $1 and d.id = $2${andSeen(view, 'd.group_id', 3)}
    ${holds ? 'for update of d' : ''}`
  const row = await queryable.one<Row>(statement, [view.businessId, id, ...seenValues(view)])
  if (row === undefined) return undefined
  const { name, description, period, panels, ...rest } = row
  const document = { name, description, period, panels: JSON.parse(panels) as Panel[] }
  return { ...rest, document }
}

const insertDashboard = `
insert into dashboards_dashboard
  (business_id, id, name, description, period, panels, panel_count, version,
    created_at, created_by, changed_at, changed_by, group_id)
values ($1, $2, $3, $4, $5, $6, $7::bigint, $8::bigint, $9, $10, $11, $12, $13)`

export async function addDashboard(
  queryable: Queryable,
  businessId: string,
  groupId: string | null,
  { id, version, document, ...made }: Dashboard,
): Promise<void> {
  const { createdAt, createdBy, changedAt, changedBy } = made
  await queryable.run(insertDashboard, [
    businessId,
    id,
    ...toColumns(document),
    version,
    createdAt,
    createdBy,
    changedAt,
    changedBy,
    groupId,
  ])
}

const updateDashboard = `
update dashboards_dashboard set
  name = $3, description = $4, period = $5, panels = $6, panel_count = $7::bigint,
  version = $8::bigint, changed_at = $9, changed_by = $10
where business_id = $1 and id = $2`

export async function keepDashboard(
  queryable: Queryable,
  businessId: string,
  { id, version, document, changedAt, changedBy }: Dashboard,
): Promise<void> {
  const values = [...toColumns(document), version, changedAt, changedBy]
  await queryable.run(updateDashboard, [businessId, id, ...values])
}

function toColumns({ name, description, period, panels }: Dashboard['document']) {
  return [name, description, period, JSON.stringify(panels), panels.length]
}

export function dropDashboard(queryable: Queryable, view: View, id: string): Promise<number> {
  const seen = andSeen(view, 'group_id', 3)
  const statement = `delete from dashboards_dashboard where business_id = $1 and id = $2${seen}`
  return queryable.run(statement, [view.businessId, id, ...seenValues(view)])
}

export async function dashboardCount(queryable: Queryable, businessId: string): Promise<number> {
  const statement = 'select count(*) as count from dashboards_dashboard where business_id = $1'
  return (await queryable.one<{ count: number }>(statement, [businessId]))?.count ?? 0
}

/** The dashboards that go with a business. */
export function dashboardDependants(
  queryable: Queryable,
  businessId: string,
): Promise<Dependants[]> {
  const from = 'dashboards_dashboard where business_id = $1'
  const asked = { effect: 'deleted', values: [businessId] } as const
  return readDependants(queryable, asked, [{ kind: 'dashboards', from, name: 'name' }])
}

export const dashboardRows: BusinessRows = rowsByIndex('dashboards_dashboard')

/** The dashboards of a group. */
export function groupDashboards(
  queryable: Queryable,
  businessId: string,
  groupId: string,
): Promise<Dependants[]> {
  const from = 'dashboards_dashboard where business_id = $1 and group_id = $2'
  const asked = { effect: 'moved', values: [businessId, groupId] } as const
  return readDependants(queryable, asked, [{ kind: 'dashboards', from, name: 'name' }])
}

export const moveGroupDashboards = movesRows('dashboards_dashboard')
