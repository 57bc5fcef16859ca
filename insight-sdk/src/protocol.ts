/**
 * The protocol between the platform and an insight module: the wire types, the limits that the
 * protocol itself sets, and pure functions that read what the other side sent. No I/O, no clock,
 * no dependency: the server imports this file alone.
 */
export { faultsOfHistory, type HistoryAsked, readHistoryAsked } from './protocol/history.ts'
export { readInfo } from './protocol/info.ts'
export { readInsight } from './protocol/insight.ts'
export { readInsightList } from './protocol/insight-list.ts'
export {
  type AnswerLimits,
  readProcessAnswer,
} from './protocol/process-answer.ts'
export type { Reading, Refused } from './protocol/reading.ts'
export { readInsightsFilter, readLifecycleEvent, readProcessRequest } from './protocol/requests.ts'
export { readStatus } from './protocol/status.ts'
export {
  type ConfigParameter,
  type ConstantInfo,
  type ConstantValue,
  type ErrorResponse,
  functionTypes,
  type History,
  type HistoryInfo,
  type HistoryParameter,
  type HistoryPoint,
  type Insight,
  type InsightInfo,
  type InsightInfoResults,
  type InsightListResults,
  type InsightsFilterParams,
  type InsightType,
  inletsMax,
  type JsonValue,
  type LifecycleEvent,
  outletsMax,
  type PrimitiveType,
  type ProcessAnswer,
  type ProcessArgs,
  type ProcessRequest,
  primitiveTypes,
  type SignalData,
  type SignalTypeInputInfo,
  type SignalTypeOutputInfo,
  type Status,
  type StatusLevel,
  type Translation,
  type Translations,
} from './protocol/types.ts'
