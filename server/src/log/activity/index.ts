export { type Activity, createActivity } from './activity.ts'
export type { AssetLine } from './asset.ts'
export type { NewConnectorLine } from './connector.ts'
export {
  type ConnectorLineKind,
  type LogLevel,
  lineKinds,
  logLevels,
  type Severity,
} from './kinds.ts'
export { activityLimits } from './limits.ts'
export { formatKey, type KeyedLine } from './line.ts'
export type { ActivityLog } from './log.ts'
export type { LinePage, PageOptions } from './page.ts'
export {
  type CallUsage,
  type ConnectorFilter,
  type ConnectorLine,
  connectorFilterSchema,
  connectorLineSchema,
  createLinePage,
  createLineQuery,
  LineId,
  type SolutionFilter,
  type SolutionLine,
  solutionFilterSchema,
  solutionLineSchema,
} from './schema.ts'
export type { NewSolutionLine } from './solution.ts'
export { lineRows } from './store/lines.ts'
