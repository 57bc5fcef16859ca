import { createRoute, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'
import { navigationTexts } from '../../frame/navigation.ts'
import { currentLanguage } from '../../ui/texts.ts'
import { marketTexts } from './texts.ts'

const nounRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/marketplace',
  staticData: { crumb: () => navigationTexts[currentLanguage()].marketplace },
  component: Outlet,
})

const viewRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/{-$view}',
  component: lazyRouteComponent(() => import('./marketplace-page.tsx'), 'MarketplacePage'),
})

const publishRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/publish',
  staticData: { crumb: () => marketTexts[currentLanguage()].publish },
  component: lazyRouteComponent(() => import('./publish-page.tsx'), 'PublishPage'),
})

const moduleRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/modules/$module',
  staticData: { crumb: ({ module }) => module ?? '' },
  component: lazyRouteComponent(() => import('./module-page.tsx'), 'ModulePage'),
})

const listingRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/listings/$listing',
  staticData: { crumb: ({ listing }) => listing ?? '' },
  component: lazyRouteComponent(() => import('./listing-page.tsx'), 'ListingPage'),
})

/** `/marketplace`: modules in use and listings, one of each, and the form that publishes. */
export const marketplaceRoutes = nounRoute.addChildren([
  viewRoute,
  publishRoute,
  moduleRoute,
  listingRoute,
])
