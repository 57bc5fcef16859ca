import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { idRoute, partRoute } from '../../frame/part-route.ts'

const nounRoute = partRoute('solutions')

const listRoute = createRoute({
  getParentRoute: () => nounRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./solutions-page.tsx'), 'SolutionsPage'),
})

const solutionRoute = idRoute(nounRoute, 'solution')

/** The choice in a view: a script by its kind and name, a failure or a service by its id. */
type Chosen = { readonly kind?: string; readonly name?: string; readonly id?: string }

const viewRoute = createRoute({
  getParentRoute: () => solutionRoute,
  path: '/{-$view}',
  validateSearch: ({ kind, name, id }: Record<string, unknown>): Chosen => ({
    ...(kind !== undefined && { kind: String(kind) }),
    ...(name !== undefined && { name: String(name) }),
    ...(id !== undefined && { id: String(id) }),
  }),
  component: lazyRouteComponent(() => import('./solution-page.tsx'), 'SolutionPage'),
})

/** `/solutions`, and one of them with its views. */
export const solutionRoutes = nounRoute.addChildren([
  listRoute,
  solutionRoute.addChildren([viewRoute]),
])
