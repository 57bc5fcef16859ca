export { type Activity, createActivity } from './activity.ts'
export type { AssetLine } from './asset.ts'
export type { ConnectorFilter, NewConnectorLine } from './connector.ts'
export {
  type ConnectorLineKind,
  type LogLevel,
  lineKinds,
  logLevels,
  type Severity,
} from './kinds.ts'
export { formatKey, type KeyedLine } from './line.ts'
export type { ActivityLog } from './log.ts'
export type { LinePage, PageOptions } from './page.ts'
export {
  type CallUsage,
  type ConnectorLine,
  connectorLineKindSchema,
  connectorLineSchema,
  LineId,
  logLevelSchema,
  type SolutionLine,
  severitySchema,
  solutionLineKindSchema,
  solutionLineSchema,
} from './schema.ts'
export type { NewSolutionLine, SolutionFilter } from './solution.ts'
export { lineRows } from './store/lines.ts'
