import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { crumbOf } from '../../frame/part-route.ts'
import { currentLanguage } from '../../ui/texts.ts'
import { texts } from './texts.ts'

/** `/`. */
export const overviewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  staticData: crumbOf('overview'),
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})

/** `/connect`. */
export const connectRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/connect',
  staticData: { crumb: () => texts[currentLanguage()].connect },
  component: lazyRouteComponent(() => import('./connect-page.tsx'), 'ConnectPage'),
})
