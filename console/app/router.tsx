import { createRouter, RouterProvider } from '@tanstack/react-router'
import { frameRoute } from './frame/frame-route.tsx'
import { accountRoute } from './pages/account/routes.tsx'
import { assetRoutes } from './pages/assets/routes.tsx'
import { conditionRoute } from './pages/conditions/routes.tsx'
import { connectorRoutes } from './pages/connectors/routes.tsx'
import { dashboardRoutes } from './pages/dashboards/routes.tsx'
import { explorerRoute } from './pages/explorer/routes.tsx'
import { failuresRoute } from './pages/failures/routes.tsx'
import { marketplaceRoutes } from './pages/marketplace/routes.tsx'
import { connectRoute, overviewRoute } from './pages/overview/routes.tsx'
import { pipelineRoute } from './pages/pipelines/routes.tsx'
import { setupRoute } from './pages/setup/routes.tsx'
import { solutionRoutes } from './pages/solutions/routes.tsx'

const router = createRouter({
  routeTree: frameRoute.addChildren([
    overviewRoute,
    connectRoute,
    connectorRoutes,
    assetRoutes,
    conditionRoute,
    dashboardRoutes,
    pipelineRoute,
    solutionRoutes,
    marketplaceRoutes,
    failuresRoute,
    setupRoute,
    explorerRoute,
    accountRoute,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router
  }
}

/** All pages of whoever is signed in, by their addresses. */
export function Pages() {
  return <RouterProvider router={router} />
}
