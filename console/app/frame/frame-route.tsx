import { createRootRoute, type ErrorComponentProps } from '@tanstack/react-router'
import { NotFoundPage } from '../components/not-found.tsx'
import { Trouble } from '../components/trouble.tsx'
import { Frame } from './frame.tsx'

/** Parts of an address that a breadcrumb may show. */
type Params = Readonly<Record<string, string | undefined>>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The breadcrumb of the route, from the parts of its address. */
    readonly crumb?: (params: Params) => string
  }
}

/** Every page lies in the frame: navigation, breadcrumbs, search, account. */
export const frameRoute = createRootRoute({
  component: Frame,
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error }: ErrorComponentProps) => <Trouble error={error as Error} />,
})
