import { documentFields, panelFields } from '../../../dashboards/index.ts'
import { limits, type Static, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, Microseconds, nothing, Offset, PageSize, PathText } from '../common.ts'
import { contract } from '../contract.ts'

const panel = component('DashboardPanel', panelFields, {
  description: 'A part of a dashboard, on a grid of 12 columns. None lies over another one.',
})

const fields = {
  ...documentFields,
  panels: Type.Array(panel, { maxItems: limits.dashboardPanelsMax }),
}

const document = component('DashboardDocument', fields, {
  description: 'A dashboard as it is exported and imported.',
})

const facts = {
  id: Type.String(),
  version: Type.Integer({ description: 'From 1, one more with each change.' }),
  created: Microseconds(),
  created_by: Type.String({ description: 'A user or a token.' }),
  changed: Microseconds(),
  changed_by: Type.String({ description: 'A user or a token.' }),
}

const dashboard = component('Dashboard', { ...facts, document })
export type DashboardBody = Static<typeof dashboard>

const listed = component('ListedDashboard', {
  ...facts,
  name: Type.String(),
  description: Type.String(),
  panels: Type.Integer({ description: 'How many it has.' }),
})

const params = StrictObject({ dashboard: PathText('The id of a dashboard.') })
const path = '/api:1/dashboards'
const common = { tag: 'assets' } as const
const example = {
  name: 'Tank farm',
  panels: [{ id: 'note', type: 'text', text: 'Shift A', column: 0, row: 0, width: 4, height: 2 }],
}

export const listDashboards = contract(
  {
    ...common,
    id: 'listDashboards',
    method: 'GET',
    path,
    permission: 'View Asset',
    summary: 'List the dashboards, in the order in which they were made.',
  },
  () => ({
    query: StrictObject({
      text: Type.Optional(Type.String({ description: 'Letters of the name or description.' })),
      limit: PageSize(limits.pageMax),
      offset: Offset(),
    }),
    answers: { 200: json('A page.', StrictObject({ dashboards: Type.Array(listed) })) },
  }),
)

export const getDashboard = contract(
  {
    ...common,
    id: 'getDashboard',
    method: 'GET',
    path: `${path}/:dashboard`,
    permission: 'View Asset',
    summary: 'Get a dashboard with its document.',
  },
  () => ({ params, answers: { 200: json('The dashboard.', dashboard) } }),
)

export const createDashboard = contract(
  {
    ...common,
    id: 'createDashboard',
    method: 'POST',
    path,
    permission: 'Dashboard Management',
    summary: 'Make a dashboard of a document.',
    description: 'Assets, signals and groups that it names need not exist.',
  },
  () => ({
    body: document,
    answers: { 201: json('The dashboard.', dashboard) },
    refuses: ['dashboard_refused'],
    example: { request: example },
  }),
)

export const replaceDashboard = contract(
  {
    ...common,
    id: 'replaceDashboard',
    method: 'PUT',
    path: `${path}/:dashboard`,
    permission: 'Dashboard Management',
    summary: 'Make a dashboard what a document says.',
    description:
      'The refusal of a change of an older version has the dashboard as it is and the document ' +
      'that was sent, in `conflict`.',
  },
  () => ({
    params,
    body: StrictObject({
      version: Type.Integer({ description: 'The version that is replaced.', minimum: 1 }),
      document,
    }),
    answers: { 200: json('The dashboard.', dashboard) },
    refuses: ['dashboard_refused', 'dashboard_outdated'],
    example: { request: { version: 1, document: example } },
  }),
)

export const deleteDashboard = contract(
  {
    ...common,
    id: 'deleteDashboard',
    method: 'DELETE',
    path: `${path}/:dashboard`,
    permission: 'Dashboard Management',
    summary: 'Delete a dashboard.',
  },
  () => ({ params, answers: { 204: nothing('It is deleted.') } }),
)
