import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { lengthsMs, type Period } from '../../components/plot/intervals.ts'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'

const nounRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/dashboards',
  staticData: { crumb: () => navigationTexts[currentLanguage()].dashboards },
  component: Outlet,
})

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./dashboards-page.tsx'), 'DashboardsPage'),
})

/** How a dashboard is shown. */
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
