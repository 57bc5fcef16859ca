import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'

/** `/`. */
export const overviewRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  staticData: { crumb: () => navigationTexts[currentLanguage()].overview },
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})
