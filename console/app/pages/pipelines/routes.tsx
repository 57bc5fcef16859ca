import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { frameRoute } from '../../frame/frame-route.tsx'

/** The pipeline of an asset: its editor, and its versions. */
export const pipelineRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/assets/$asset/pipeline/{-$view}',
  component: lazyRouteComponent(() => import('./pipeline-page.tsx'), 'PipelinePage'),
})
