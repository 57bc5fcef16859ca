import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'

const nounRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/assets',
  staticData: { crumb: () => navigationTexts[currentLanguage()].assets },
  component: Outlet,
})

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/{-$asset}',
  component: lazyRouteComponent(() => import('./assets-page.tsx'), 'AssetsPage'),
})

/** `/assets`, and one of them. */
export const assetRoutes = nounRoute.addChildren([listRoute])
