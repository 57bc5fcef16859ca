import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { currentLanguage } from '../../ui/texts.ts'
import { accountTexts } from './texts.ts'

/** `/account`: what a person does with the own account. */
export const accountRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/account',
  staticData: { crumb: () => accountTexts[currentLanguage()].title },
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})
