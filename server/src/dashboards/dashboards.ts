import type { Transaction } from '../database/index.ts'
import {
  checkedDescription,
  checkedName,
  checkedPage,
  Fault,
  invalid,
  limits,
  newUuid,
} from '../kernel/index.ts'
import { problemsOf } from './document.ts'
import {
  addDashboard,
  dashboardCount,
  dashboardPage,
  dropDashboard,
  keepDashboard,
  readDashboard,
} from './store.ts'
import type {
  Author,
  Dashboard,
  DashboardDocument,
  Dashboards,
  DashboardsOptions,
} from './types.ts'

const periodDefault = '24h'

export function createDashboards(options: DashboardsOptions): Dashboards {
  const { database } = options
  return {
    list: (businessId, { text } = {}, page) =>
      dashboardPage(database, businessId, { text, ...checkedPage(page) }),
    get: async (businessId, id) => found(await readDashboard(database, businessId, id), id),
    create(author, document) {
      const checked = checkedDocument(document)
      return database.transaction((transaction) => create(options, transaction, author, checked))
    },
    replace(author, id, version, document) {
      const checked = checkedDocument(document)
      return database.transaction(async (transaction) => {
        const before = found(await readDashboard(transaction, author.businessId, id, true), id)
        if (before.version !== version) throw outdated(before, checked)
        const after = {
          ...before,
          version: version + 1,
          changedAt: options.clock.nowUs(),
          changedBy: author.subject,
          document: checked,
        }
        await keepDashboard(transaction, author.businessId, after)
        return after
      })
    },
    async remove(businessId, id) {
      if ((await dropDashboard(database, businessId, id)) === 0) throw noDashboard(id)
    },
  }
}

async function create(
  { clock, random }: DashboardsOptions,
  transaction: Transaction,
  { businessId, subject }: Author,
  document: Required<DashboardDocument>,
): Promise<Dashboard> {
  if ((await dashboardCount(transaction, businessId)) >= limits.dashboardsMax) {
    throw invalid(`a business has at most ${limits.dashboardsMax} dashboards`)
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
  await addDashboard(transaction, businessId, made)
  return made
}

/** @throws Fault `invalid_argument`, `dashboard_refused` */
function checkedDocument(document: DashboardDocument): Required<DashboardDocument> {
  const { name, description, period = periodDefault, panels } = document
  const problems = problemsOf(panels)
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
