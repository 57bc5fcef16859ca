import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { AuditFilter } from '../../api/setup/audit.ts'
import { frameRoute } from '../../frame/frame-route.tsx'
import { makeCrumb } from '../../frame/part-route.ts'

/** `page` is that of a list, from 1; the others filter the audit log and page through it. */
type Search = {
  readonly page?: number
  readonly before?: number
} & AuditFilter

/** `/setup` with its views. */
export const setupRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/setup/{-$view}',
  staticData: makeCrumb('setup'),
  validateSearch: (search: Record<string, unknown>): Search => ({
    ...(Number(search.page) > 1 && { page: Math.trunc(Number(search.page)) }),
    ...textIn(search, 'subject'),
    ...textIn(search, 'action'),
    ...textIn(search, 'outcome'),
    ...textIn(search, 'source'),
    ...textIn(search, 'text'),
    ...numberIn(search, 'from'),
    ...numberIn(search, 'to'),
    ...numberIn(search, 'before'),
  }),
  component: lazyRouteComponent(() => import('./setup-page.tsx'), 'SetupPage'),
})

function textIn<Name extends string>(search: Record<string, unknown>, name: Name) {
  const text = search[name]
  return text === undefined || text === '' ? {} : ({ [name]: `${text}` } as Record<Name, string>)
}

function numberIn<Name extends string>(search: Record<string, unknown>, name: Name) {
  const number = Number(search[name])
  return Number.isSafeInteger(number) && number > 0
    ? ({ [name]: number } as Record<Name, number>)
    : {}
}
