import type { Transaction } from '../../foundation/database/index.ts'
import {
  checkedDescription,
  checkedName,
  checkedPage,
  Fault,
  invalid,
  newUuid,
} from '../../foundation/kernel/index.ts'
import { toView } from '../../people/groups/index.ts'
import { type DashboardDocument, findProblems } from './document.ts'
import { dashboardLimits } from './limits.ts'
import {
  addDashboard,
  dashboardCount,
  dashboardPage,
  dropDashboard,
  groupDashboards,
  keepDashboard,
  moveGroupDashboards,
  readDashboard,
} from './store.ts'
import type { Author, Dashboard, Dashboards, DashboardsOptions } from './types.ts'

const periodDefault = '24h'

export function createDashboards(options: DashboardsOptions): Dashboards {
  const { database, groups, changes } = options
  groups.onRemove({ dependants: groupDashboards, move: moveGroupDashboards })
  return {
    list: (viewer, { text } = {}, page) =>
      dashboardPage(database, toView(viewer), { text, ...checkedPage(page) }),
    get: async (viewer, id) => found(await readDashboard(database, toView(viewer), id), id),
    create(author, document) {
      const checked = checkedDocument(document)
      return database.transaction((transaction) => create(options, transaction, author, checked))
    },
    replace(author, id, version, document) {
      const checked = checkedDocument(document)
      return database.transaction(async (transaction) => {
        const view = toView(author.view)
        const before = found(await readDashboard(transaction, view, id, true), id)
        if (before.version !== version) throw outdated(before, checked)
        const after = {
          ...before,
          version: version + 1,
          changedAt: options.clock.nowUs(),
          changedBy: author.subject,
          document: checked,
        }
        await keepDashboard(transaction, view.businessId, after)
        changes.publish(transaction, view.businessId, 'dashboards', 'every')
        return after
      })
    },
    async remove(viewer, id) {
      const view = toView(viewer)
      if ((await dropDashboard(database, view, id)) === 0) throw noDashboard(id)
      changes.publish(database, view.businessId, 'dashboards', 'every')
    },
  }
}

async function create(
  { groups, changes, clock, random }: DashboardsOptions,
  transaction: Transaction,
  { view: viewer, subject }: Author,
  document: Required<DashboardDocument>,
): Promise<Dashboard> {
  const view = toView(viewer)
  const { businessId } = view
  // A dashboard of a user who sees several groups lies in the first of them.
  const isWhole = view.groups === 'all'
  const group = isWhole ? null : await groups.hold(transaction, view, view.groups[0])
  if ((await dashboardCount(transaction, businessId)) >= dashboardLimits.dashboardsMax) {
    throw invalid(`a business has at most ${dashboardLimits.dashboardsMax} dashboards`)
  }
  const at = clock.nowUs()
  const made = {
    id: newUuid(random, clock.nowMs()),
    version: 1,
    createdAt: at,
    createdBy: subject,
    changedAt: at,
    changedBy: subject,
    document,
  }
  await addDashboard(transaction, businessId, group?.id ?? null, made)
  // The topic says of no dashboard that it has changed, and so everyone gets it.
  changes.publish(transaction, businessId, 'dashboards', 'every')
  return made
}

/** @throws Fault `invalid_argument`, `dashboard_refused` */
function checkedDocument(document: DashboardDocument): Required<DashboardDocument> {
  const { name, description, period = periodDefault, panels } = document
  const problems = findProblems(panels)
  const [first] = problems
  if (first !== undefined) throw new Fault('dashboard_refused', first.detail, { problems })
  return { name: checkedName(name), description: checkedDescription(description), period, panels }
}

function outdated(stored: Dashboard, sent: DashboardDocument): Fault {
  const detail = `The dashboard is at version ${stored.version} now.`
  return new Fault('dashboard_outdated', detail, { conflict: { stored, sent } })
}

function found(dashboard: Dashboard | undefined, id: string): Dashboard {
  if (dashboard === undefined) throw noDashboard(id)
  return dashboard
}

function noDashboard(id: string): Fault {
  return new Fault('not_found', `There is no dashboard ${id}.`)
}
