export { createDashboards } from './dashboards.ts'
export { documentFields, panelFields } from './document.ts'
export { dashboardDependants, dashboardRows } from './store.ts'
export {
  type Dashboard,
  type DashboardDocument,
  type Dashboards,
  dashboardFacts,
  type ListedDashboard,
  listedDashboardSchema,
} from './types.ts'
