import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { lengthsMs, type Period } from '../../components/plot/intervals.ts'
import { partRoute } from '../../frame/part-route.ts'

const nounRoute = partRoute('dashboards')

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./dashboards-page.tsx'), 'DashboardsPage'),
})

/** The view of a dashboard. */
type DashboardSearch = {
  /** In the place of its own period. */
  readonly period?: Period | undefined
  readonly edit?: true | undefined
  /** Without the frame, for a screen on a wall. */
  readonly wall?: 1 | undefined
}

const boardRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/$dashboard',
  validateSearch: ({ period, edit, wall }: Record<string, unknown>): DashboardSearch => ({
    ...(isPeriod(period) && { period }),
    ...(edit === true && wall !== 1 && { edit }),
    ...(wall === 1 && { wall }),
  }),
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
})

function isPeriod(value: unknown): value is Period {
  return typeof value === 'string' && Object.hasOwn(lengthsMs, value)
}

/** `/dashboards`, and a dashboard. */
export const dashboardRoutes = nounRoute.addChildren([listRoute, boardRoute])
