import type { Entry } from '../command.ts'

/** The commands of assets as files, of templates, of dashboards, and of reports of values. */
export const assetCommands: Readonly<Record<string, Entry>> = {
  'asset export': {
    summary: 'Print the assets of a business as CSV.',
    load: async () => (await import('./asset/files.ts')).assetExport,
  },
  'asset import': {
    summary: 'Make and change assets by the rows of a CSV file.',
    load: async () => (await import('./asset/files.ts')).assetImport,
  },
  'template list': {
    summary: 'Print the templates of assets, in the order in which they were made.',
    load: async () => (await import('./asset/templates.ts')).templateList,
  },
  'template show': {
    summary: 'Print the signals and the links of a template.',
    load: async () => (await import('./asset/templates.ts')).templateShow,
  },
  'template export': {
    summary: 'Print a template as a document, which another instance takes.',
    load: async () => (await import('./asset/templates.ts')).templateExport,
  },
  'template import': {
    summary: 'Make a template of a document, or change one to it.',
    load: async () => (await import('./asset/templates.ts')).templateImport,
  },
  'template versions': {
    summary: 'Print the versions of a template with what each changed, newest first.',
    load: async () => (await import('./asset/template-versions.ts')).templateVersions,
  },
  'template compare': {
    summary: 'Print what changed from one version of a template to another.',
    load: async () => (await import('./asset/template-versions.ts')).templateCompare,
  },
  'template restore': {
    summary: 'Save an earlier version of a template again, as a new version.',
    load: async () => (await import('./asset/template-versions.ts')).templateRestore,
  },
  'template create': {
    summary: 'Make a template of an asset with its signals and links.',
    load: async () => (await import('./asset/templates.ts')).templateCreate,
  },
  'template delete': {
    summary: 'Delete a template; assets that were made of it stay.',
    load: async () => (await import('./asset/templates.ts')).templateDelete,
  },
  'dashboard list': {
    summary: 'Print the dashboards, in the order in which they were made.',
    load: async () => (await import('./asset/dashboards.ts')).dashboardList,
  },
  'dashboard export': {
    summary: 'Print a dashboard as a document, which another instance takes.',
    load: async () => (await import('./asset/dashboards.ts')).dashboardExport,
  },
  'dashboard import': {
    summary: 'Make a dashboard of a document, or change one to it.',
    load: async () => (await import('./asset/dashboards.ts')).dashboardImport,
  },
  'dashboard delete': {
    summary: 'Delete a dashboard.',
    load: async () => (await import('./asset/dashboards.ts')).dashboardDelete,
  },
  'report list': {
    summary: 'Print reports, newest first.',
    load: async () => (await import('./asset/reports.ts')).reportList,
  },
  'report create': {
    summary: 'Begin a report of signals over a period, and print its id.',
    load: async () => (await import('./asset/reports.ts')).reportCreate,
  },
  'report show': {
    summary: 'Print how a report is.',
    load: async () => (await import('./asset/reports.ts')).reportShow,
  },
  'report download': {
    summary: 'Write the content of a report into a file, when it is completed.',
    load: async () => (await import('./asset/reports.ts')).reportDownload,
  },
  'report url': {
    summary: 'Print a URL of the content of a report, which needs no credential.',
    load: async () => (await import('./asset/reports.ts')).reportUrl,
  },
  'report delete': {
    summary: 'Delete a report with its content.',
    load: async () => (await import('./asset/reports.ts')).reportDelete,
  },
}
