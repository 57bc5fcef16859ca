import type { Changes } from '../changes/index.ts'
import type { Database } from '../database/index.ts'
import type { Groups, Viewer } from '../groups/index.ts'
import type { Clock, PageRange, Random } from '../kernel/index.ts'
import type { Panel } from './document.ts'

/** A dashboard as people make it, and as it is exported. */
export type DashboardDocument = {
  readonly name: string
  readonly description?: string | undefined
  readonly period?: string | undefined
  readonly panels: readonly Panel[]
}

/** Times in microseconds. */
export type Dashboard = {
  readonly id: string
  /** From 1, one more with each change. */
  readonly version: number
  readonly createdAt: number
  /** The subject of a principal. */
  readonly createdBy: string
  readonly changedAt: number
  readonly changedBy: string
  readonly document: Required<DashboardDocument>
}

/** A dashboard in a list. */
export type ListedDashboard = Omit<Dashboard, 'document'> & {
  readonly name: string
  readonly description: string
  /** How many it has. */
  readonly panels: number
}

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
   *   limits.dashboardsMax
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
