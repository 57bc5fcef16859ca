import type { components } from '@millrace/client'
import { get, post, put, remove } from '../endpoint.ts'
import { findAll } from '../find-all.ts'

export type Dashboard = components['schemas']['Dashboard']
export type DashboardDocument = components['schemas']['DashboardDocument']
export type DashboardPanel = components['schemas']['DashboardPanel']
export type ListedDashboard = components['schemas']['ListedDashboard']

/** All of the business. Needs `View Asset`. */
export const listDashboards = findAll('/api:1/dashboards', 'dashboards')

export const readDashboard = get('/api:1/dashboards/{dashboard}')

/** @throws ApiError `dashboard_refused` with its problems, `invalid_argument` */
export const createDashboard = post('/api:1/dashboards')

/** @throws ApiError `dashboard_outdated` with both documents; as `createDashboard` */
export const replaceDashboard = put('/api:1/dashboards/{dashboard}')

export const removeDashboard = remove('/api:1/dashboards/{dashboard}')
