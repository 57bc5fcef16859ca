export type { NewReport, Report, ReportContent, ReportFormat, Reports } from './report.ts'
export { newReportSchema, reportSchema } from './report.ts'
export { createReports, type ReportsOptions } from './reports.ts'
export { reportDependants, reportRows } from './store.ts'
