import type { Dashboard, Dashboards, ListedDashboard } from '../../../dashboards/index.ts'
import { Fault } from '../../../kernel/index.ts'
import {
  createDashboard,
  type DashboardBody,
  deleteDashboard,
  getDashboard,
  listDashboards,
  replaceDashboard,
} from '../../contract/assets/dashboards.ts'
import { created, noContent, ok, type Route, route } from '../../route.ts'

/** Dashboards of a business, as documents with versions. */
export function dashboardRoutes(dashboards: Dashboards): Route[] {
  return [
    route(listDashboards, async ({ principal, query: { text, ...page } }) => {
      const found = await dashboards.list(principal.view, { text }, page)
      return ok({ dashboards: found.map(listed) })
    }),
    route(getDashboard, async ({ principal, params }) =>
      ok(bodyOf(await dashboards.get(principal.view, params.dashboard))),
    ),
    route(createDashboard, async ({ principal, body }) =>
      created(bodyOf(await dashboards.create(principal, body))),
    ),
    route(replaceDashboard, async ({ principal, params, body: { version, document } }) => {
      const changed = dashboards.replace(principal, params.dashboard, version, document)
      return ok(bodyOf(await changed.catch(shownConflict)))
    }),
    route(deleteDashboard, async ({ principal, params }) => {
      await dashboards.remove(principal.view, params.dashboard)
      return noContent()
    }),
  ]
}

/** What is stored is shown as the routes show it. */
function shownConflict(error: unknown): never {
  if (!(error instanceof Fault) || error.conflict === undefined) throw error
  const { code, detail, conflict } = error
  const stored = bodyOf(conflict.stored as Dashboard)
  throw new Fault(code, detail, { conflict: { stored, sent: conflict.sent } })
}

function bodyOf({ document, ...facts }: Dashboard): DashboardBody {
  return { ...factsOf(facts), document } as DashboardBody
}

function listed({ name, description, panels, ...facts }: ListedDashboard) {
  return { ...factsOf(facts), name, description, panels }
}

function factsOf({ id, version, ...made }: Omit<Dashboard, 'document'>) {
  const { createdAt, createdBy, changedAt, changedBy } = made
  return {
    id,
    version,
    created: createdAt,
    created_by: createdBy,
    changed: changedAt,
    changed_by: changedBy,
  }
}
