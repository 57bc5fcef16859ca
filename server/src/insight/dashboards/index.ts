export { createDashboards } from './dashboards.ts'
export { type DashboardDocument, documentSchema } from './document.ts'
export { dashboardLimits } from './limits.ts'
export { dashboardDependants, dashboardRows } from './store.ts'
export {
  type Dashboard,
  type Dashboards,
  dashboardSchema,
  type ListedDashboard,
  listedDashboardSchema,
} from './types.ts'
