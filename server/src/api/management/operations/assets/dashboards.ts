import {
  Fault,
  StrictObject,
  showOnWire,
  Type,
  wireSchema,
} from '../../../../foundation/kernel/index.ts'
import {
  dashboardSchema,
  documentSchema,
  listedDashboardSchema,
} from '../../../../insight/dashboards/index.ts'
import { does, LettersOfName, lists, makes, paging, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const example = {
  name: 'Tank farm',
  panels: [{ id: 'note', type: 'text', text: 'Shift A', column: 0, row: 0, width: 4, height: 2 }],
}

const views = operations('assets', 'View Asset', '/api:1/dashboards')
const changes = operations('assets', 'Dashboard Management', '/api:1/dashboards')

export const listDashboards = views.get(
  '',
  'List the dashboards, in the order in which they were made.',
  () => ({
    query: StrictObject({ text: LettersOfName(), ...paging() }),
    ...lists('dashboards', listedDashboardSchema),
  }),
  ({ dashboards }, { view, query: { text, ...page } }) => dashboards.list(view, { text }, page),
)

export const getDashboard = views.get(
  '/:dashboard',
  'Get a dashboard with its document.',
  () => shows('The dashboard.', dashboardSchema),
  ({ dashboards }, { view, params }) => dashboards.get(view, params.dashboard),
)

export const createDashboard = changes.post(
  '',
  'Make a dashboard of a document.',
  () => ({
    description: 'Assets, signals and groups that it names need not exist.',
    body: documentSchema,
    ...makes('The dashboard.', dashboardSchema),
    refuses: ['dashboard_refused'],
    example: { request: example },
  }),
  ({ dashboards }, { principal, body }) => dashboards.create(principal, body),
)

export const replaceDashboard = changes.put(
  '/:dashboard',
  'Make a dashboard what a document says.',
  () => ({
    description:
      'The refusal of a change of an older version has the dashboard as it is and the document ' +
      'that was sent, in `conflict`.',
    body: StrictObject({
      version: Type.Integer({ description: 'The version that is replaced.', minimum: 1 }),
      document: documentSchema,
    }),
    ...shows('The dashboard.', dashboardSchema),
    refuses: ['dashboard_refused', 'dashboard_outdated'],
    example: { request: { version: 1, document: example } },
  }),
  ({ dashboards }, { principal, params, body: { version, document } }) =>
    dashboards.replace(principal, params.dashboard, version, document).catch(shownConflict),
)

export const deleteDashboard = changes.remove(
  '/:dashboard',
  'Delete a dashboard.',
  () => does('It is deleted.'),
  ({ dashboards }, { view, params }) => dashboards.remove(view, params.dashboard),
)

/** A stored dashboard as the routes show it. */
function shownConflict(error: unknown): never {
  if (!(error instanceof Fault) || error.conflict === undefined) throw error
  const { code, detail, conflict } = error
  const stored = showOnWire(wireSchema(dashboardSchema), conflict.stored)
  throw new Fault(code, detail, { conflict: { stored, sent: conflict.sent } })
}
