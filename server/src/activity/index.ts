export { type Activity, createActivity } from './activity.ts'
export type { AssetLine } from './asset.ts'
export type { ConnectorFilter, ConnectorLine, NewConnectorLine } from './connector.ts'
export {
  type ConnectorLineKind,
  connectorLineKinds,
  type LogLevel,
  lineKinds,
  logLevels,
  type Severity,
  severities,
  solutionLineKinds,
} from './kinds.ts'
export { formatKey, type LineKey, parseKey } from './line.ts'
export type { ActivityLog } from './log.ts'
export type { LinePage, PageOptions } from './page.ts'
export type { CallUsage, NewSolutionLine, SolutionFilter, SolutionLine } from './solution.ts'
export { lineRows } from './store/lines.ts'
