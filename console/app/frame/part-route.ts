import { type AnyRoute, createRoute, Outlet } from '@tanstack/react-router'
import { currentLanguage } from '../ui/texts.ts'
import { frameRoute } from './frame-route.tsx'
import { navigationTexts, type Part } from './navigation.ts'

/** The breadcrumb of a part of the console, with the name that the navigation has. */
export const makeCrumb = (name: Part['name']) => ({
  crumb: () => navigationTexts[currentLanguage()][name],
})

/** The route above the pages of a part of the console. */
export function partRoute<const Name extends Part['name']>(name: Name) {
  return createRoute({
    getParentRoute: () => frameRoute,
    path: `/${name}`,
    staticData: makeCrumb(name),
    component: Outlet,
  })
}

/** The route above the pages of one thing, whose id is a part of the address. */
export function idRoute<Parent extends AnyRoute, const Name extends string>(
  parent: Parent,
  name: Name,
) {
  return createRoute({
    getParentRoute: () => parent,
    path: `/$${name}`,
    staticData: { crumb: (params) => params[name] ?? '' },
    component: Outlet,
  })
}
