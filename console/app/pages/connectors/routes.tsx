import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { idRoute, partRoute } from '../../frame/part-route.ts'
import { parseDeviceSearch } from './devices/filter.ts'

const nounRoute = partRoute('connectors')

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/',
  validateSearch: ({ add }: Record<string, unknown>): { add?: 'new' | 'import' } =>
    add === 'new' || add === 'import' ? { add } : {},
  component: lazyRouteComponent(() => import('./connectors-page.tsx'), 'ConnectorsPage'),
})

const connectorRoute = idRoute(nounRoute, 'connector')

const viewRoute = createRoute({
  getParentRoute: () => connectorRoute,
  path: '/{-$view}',
  validateSearch: parseDeviceSearch,
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
