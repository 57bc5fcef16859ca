import type { Entry } from '../command.ts'

/** The commands of assets as files, and of reports of their values. */
export const assetCommands: Readonly<Record<string, Entry>> = {
  'asset export': {
    summary: 'Print the assets of a business as CSV.',
    load: async () => (await import('./asset/files.ts')).assetExport,
  },
  'asset import': {
    summary: 'Make and change assets by the rows of a CSV file.',
    load: async () => (await import('./asset/files.ts')).assetImport,
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
