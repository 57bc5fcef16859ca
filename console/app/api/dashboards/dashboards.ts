import { type components, unwrap } from '@millrace/client'
import type { Client } from '../client.ts'

export type Dashboard = components['schemas']['Dashboard']
export type DashboardDocument = components['schemas']['DashboardDocument']
export type DashboardPanel = components['schemas']['DashboardPanel']
export type ListedDashboard = components['schemas']['ListedDashboard']

const pageSize = 500

/** All of the business. Needs `View Asset`. */
export async function listDashboards(
  client: Client,
  signal: AbortSignal | null = null,
): Promise<ListedDashboard[]> {
  const all: ListedDashboard[] = []
  for (;;) {
    const params = { query: { limit: pageSize, offset: all.length } }
    const { dashboards } = await unwrap(client.GET('/api:1/dashboards', { params, signal }))
    all.push(...dashboards)
    if (dashboards.length < pageSize) return all
  }
}

export function readDashboard(
  client: Client,
  dashboard: string,
  signal: AbortSignal | null = null,
): Promise<Dashboard> {
  const params = { path: { dashboard } }
  return unwrap(client.GET('/api:1/dashboards/{dashboard}', { params, signal }))
}

/** @throws ApiError `dashboard_refused` with its problems, `invalid_argument` */
export function createDashboard(client: Client, body: DashboardDocument): Promise<Dashboard> {
  return unwrap(client.POST('/api:1/dashboards', { body }))
}

/** @throws ApiError `dashboard_outdated` with both documents; as `createDashboard` */
export function replaceDashboard(
  client: Client,
  dashboard: string,
  body: { readonly version: number; readonly document: DashboardDocument },
): Promise<Dashboard> {
  const params = { path: { dashboard } }
  return unwrap(client.PUT('/api:1/dashboards/{dashboard}', { params, body }))
}

export async function removeDashboard(client: Client, dashboard: string): Promise<void> {
  const params = { path: { dashboard } }
  await unwrap(client.DELETE('/api:1/dashboards/{dashboard}', { params }))
}
