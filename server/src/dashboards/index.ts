export { createDashboards } from './dashboards.ts'
export { documentFields, panelFields } from './document.ts'
export { dashboardDependants, dashboardRows } from './store.ts'
export type { Dashboard, DashboardDocument, Dashboards, ListedDashboard } from './types.ts'
