/** The commands of the SDK, for another command line: `millrace insight`. */
export { headersOf, type Report, reportLines, reportOf } from './cli/check.ts'
