import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { partRoute } from '../../frame/part-route.ts'
import { currentLanguage } from '../../ui/texts.ts'
import { marketTexts } from './texts.ts'

const nounRoute = partRoute('marketplace')

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
