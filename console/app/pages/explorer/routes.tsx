import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { makeCrumb } from '../../frame/part-route.ts'

/** `/explorer`: the way to the pages that show the APIs, which are files of their own. */
export const explorerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/explorer',
  staticData: makeCrumb('explorer'),
  component: lazyRouteComponent(() => import('./explorer-page.tsx'), 'ExplorerPage'),
})
