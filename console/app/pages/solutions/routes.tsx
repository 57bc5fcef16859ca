import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'

const nounRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/solutions',
  staticData: { crumb: () => navigationTexts[currentLanguage()].solutions },
  component: Outlet,
})

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/{-$solution}',
  component: lazyRouteComponent(() => import('./solutions-page.tsx'), 'SolutionsPage'),
})

/** `/solutions`, and one of them. */
export const solutionRoutes = nounRoute.addChildren([listRoute])
