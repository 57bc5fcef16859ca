import type { Database } from '../../foundation/database/index.ts'
import {
  type Clock,
  component,
  Microseconds,
  type PageRange,
  type Random,
  type StaticResult,
  Type,
} from '../../foundation/kernel/index.ts'
import type { Changes } from '../../log/changes/index.ts'
import type { Groups, Viewer } from '../../people/groups/index.ts'
import { type DashboardDocument, documentSchema } from './document.ts'

/** The fields of a dashboard beside its document. */
const dashboardFacts = {
  id: Type.String(),
  version: Type.Integer({ description: 'From 1, one more with each change.' }),
  createdAt: Microseconds(undefined, { wire: 'created' }),
  createdBy: Type.String({ description: 'A user or a token.' }),
  changedAt: Microseconds(undefined, { wire: 'changed' }),
  changedBy: Type.String({ description: 'A user or a token.' }),
}

export const dashboardSchema = component('Dashboard', {
  ...dashboardFacts,
  document: documentSchema,
})
export type Dashboard = StaticResult<typeof dashboardSchema>

/** A dashboard in a list. */
export const listedDashboardSchema = component('ListedDashboard', {
  ...dashboardFacts,
  name: Type.String(),
  description: Type.String(),
  panels: Type.Integer({ description: 'How many it has.' }),
})
export type ListedDashboard = StaticResult<typeof listedDashboardSchema>

/** The user or API token that makes or changes a dashboard. */
export type Author = {
  readonly businessId: string
  readonly subject: string
  readonly view: Viewer
}

/**
 * The dashboards of businesses. A dashboard lies in the group of its maker, or is of the whole
 * business. Dashboards of another business or outside of the view count as absent.
 */
export type Dashboards = {
  /** In the order in which they were made. @throws Fault `invalid_argument` */
  list(
    viewer: Viewer,
    filter?: { readonly text?: string | undefined },
    page?: PageRange,
  ): Promise<ListedDashboard[]>
  /** @throws Fault `not_found` */
  get(viewer: Viewer, id: string): Promise<Dashboard>
  /**
   * @throws Fault `dashboard_refused` with all problems of the panels; `invalid_argument` past
   *   dashboardsMax
   */
  create(author: Author, document: DashboardDocument): Promise<Dashboard>
  /**
   * Makes the dashboard what a document says.
   * @param version the one that is replaced
   * @throws Fault `not_found`; `dashboard_refused`; `dashboard_outdated` with the dashboard as it
   *   is and the document, if it has another version
   */
  replace(
    author: Author,
    id: string,
    version: number,
    document: DashboardDocument,
  ): Promise<Dashboard>
  /** @throws Fault `not_found` */
  remove(viewer: Viewer, id: string): Promise<void>
}

export type DashboardsOptions = {
  readonly database: Database
  readonly changes: Changes
  readonly groups: Pick<Groups, 'hold' | 'onRemove'>
  readonly clock: Clock
  readonly random: Random
}
