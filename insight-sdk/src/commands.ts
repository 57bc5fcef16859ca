/** The commands of the SDK, for another command line: `millrace insight`. */
export { makeReport, parseHeaders, type Report, reportLines } from './cli/check.ts'
export { type DevOptions, runDev } from './cli/dev.ts'
export { createProject, type NewProject } from './cli/new.ts'
