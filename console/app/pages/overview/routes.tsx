import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { makeCrumb } from '../../frame/part-route.ts'
import { currentLanguage } from '../../ui/texts.ts'
import { texts } from './texts.ts'

/** `/`. */
export const overviewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  staticData: makeCrumb('overview'),
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})

/** `/connect`. */
export const connectRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/connect',
  staticData: { crumb: () => texts[currentLanguage()].connect },
  component: lazyRouteComponent(() => import('./connect-page.tsx'), 'ConnectPage'),
})
