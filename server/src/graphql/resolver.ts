import type { Asset, Condition, ConditionComment, Signal } from '../assets/index.ts'
import type { Group } from '../groups/index.ts'
import type {
  AssetPipeline,
  FunctionList,
  Link,
  Module,
  PipelineVersion,
} from '../pipelines/index.ts'
import type { Connector, IdentityRecord } from '../provisioning/index.ts'
import type { Context } from './context.ts'

/** Returns a field of the row above it, from its arguments and the request. */
export type Resolver<Result, Row, Request, Args> = (
  row: Row,
  args: Args,
  request: Request,
) => Result | Promise<Result>

/** A resolver of any field, as the runs of documents call it. */
export type AnyResolver = (row: never, args: never, context: Context) => unknown

/** By type and field. A field that is not here is a property of the row above it. */
export type ResolverMap = Readonly<Record<string, Readonly<Record<string, AnyResolver>>>>

/**
 * The objects behind types of the schema: the resolver of a field of `Asset` receives an
 * `AssetRow`, and a field of that type returns one. A type without a row is answered with an
 * object of its fields. `npm run codegen` reads these names.
 */
export type AssetRow = Asset
export type ConditionRow = Condition
export type ConditionCommentRow = ConditionComment
export type ConnectorRow = Connector
export type DeviceRow = IdentityRecord
export type GroupRow = Group
export type LinkRow = Link
export type ModuleRow = Module
export type PipelineRow = AssetPipeline
export type PipelineVersionRow = PipelineVersion
export type SignalRow = Signal

export type FunctionListRow = FunctionList
export type InsightFunctionRow = Link['insight']
export type FunctionConstantRow = InsightFunctionRow['constants'][number]
export type FunctionInletRow = InsightFunctionRow['inlets'][number]
export type FunctionOutletRow = InsightFunctionRow['outlets'][number]
