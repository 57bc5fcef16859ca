import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'

const nounRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/connectors',
  staticData: { crumb: () => navigationTexts[currentLanguage()].connectors },
  component: Outlet,
})

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./connectors-page.tsx'), 'ConnectorsPage'),
})

const connectorRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/$connector',
  staticData: { crumb: ({ connector }) => connector ?? '' },
  component: Outlet,
})

const viewRoute = createRoute({
  getParentRoute: () => connectorRoute,
  path: '/{-$view}',
  component: lazyRouteComponent(() => import('./connector-page.tsx'), 'ConnectorPage'),
})

const deviceRoute = createRoute({
  getParentRoute: () => connectorRoute,
  path: '/devices/$identity',
  staticData: { crumb: ({ identity }) => identity ?? '' },
  component: lazyRouteComponent(() => import('./device-page.tsx'), 'DevicePage'),
})

/** `/connectors`, a connector with its views, and its devices. */
export const connectorRoutes = nounRoute.addChildren([
  listRoute,
  connectorRoute.addChildren([viewRoute, deviceRoute]),
])
