import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type Stage, stages } from '../../api/failures.ts'
import { frameRoute } from '../../frame/frame-route.tsx'
import { makeCrumb } from '../../frame/part-route.ts'

/** The stage that is listed, and the cursor of the page before. */
type Search = { readonly stage?: Stage; readonly before?: string }

/** `/failures`, and one of them beside the list. */
export const failuresRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/failures/{-$of}/{-$id}',
  staticData: makeCrumb('failures'),
  validateSearch: (search: Record<string, unknown>): Search => {
    const stage = stages.find((one) => one === search.stage)
    return {
      ...(stage !== undefined && { stage }),
      ...(typeof search.before === 'string' && { before: search.before }),
    }
  },
  component: lazyRouteComponent(() => import('./failures-page.tsx'), 'FailuresPage'),
})
