import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'

/** `/explorer`: the way to the pages that show the APIs, which are files of their own. */
export const explorerRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/explorer',
  staticData: { crumb: () => navigationTexts[currentLanguage()].explorer },
  component: lazyRouteComponent(() => import('./explorer-page.tsx'), 'ExplorerPage'),
})
