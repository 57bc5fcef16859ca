import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'
import { deviceSearchOf } from './devices/filter.ts'

const nounRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/connectors',
  staticData: { crumb: () => navigationTexts[currentLanguage()].connectors },
  component: Outlet,
})

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/',
  validateSearch: ({ add }: Record<string, unknown>): { add?: 'new' | 'import' } =>
    add === 'new' || add === 'import' ? { add } : {},
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
  validateSearch: deviceSearchOf,
  component: lazyRouteComponent(() => import('./connector-page.tsx'), 'ConnectorPage'),
})

const deviceRoute = createRoute({
  getParentRoute: () => connectorRoute,
  path: '/devices/$identity/{-$view}',
  staticData: { crumb: ({ identity }) => identity ?? '' },
  component: lazyRouteComponent(() => import('./device/device-page.tsx'), 'DevicePage'),
})

/** `/connectors`, a connector with its views, and its devices. */
export const connectorRoutes = nounRoute.addChildren([
  listRoute,
  connectorRoute.addChildren([viewRoute, deviceRoute]),
])
