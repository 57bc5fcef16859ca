import type { Connector, DeviceRecord, State } from '../../devices/provisioning/index.ts'
import type {
  Asset,
  AssetListField,
  AssetStatus,
  Condition,
  ConditionComment,
  DataType,
  Signal,
  SignalStatus,
  StatusEvent,
  Template,
  TemplateVersion,
  Unit,
  Value,
} from '../../insight/assets/index.ts'
import type {
  AssetPipeline,
  FunctionList,
  Link,
  LinkCheck,
  Module,
  PipelineVersion,
} from '../../insight/pipelines/index.ts'
import type { InstructionVersion, Policy, WorkInstruction } from '../../insight/policies/index.ts'
import type { Report } from '../../insight/reports/index.ts'
import type { EndedNames, User } from '../../people/accounts/index.ts'
import type { Group } from '../../people/groups/index.ts'
import type { Context } from './context.ts'

/** Returns a field of the row above it, from its arguments and the request. */
export type Resolver<Result, Row, Request, Args> = (
  row: Row,
  args: Args,
  request: Request,
) => Result | Promise<Result>

/** A resolver of any field, as the runs of documents call it. */
export type AnyResolver = (row: never, args: never, context: Context, asked?: AskedField) => unknown

/** The part of its field that a resolver may read. */
export type AskedField = { readonly list?: readonly AssetListField[] | undefined }

/** By type and field. A field that is not here is a property of the row above it. */
export type ResolverMap = Readonly<Record<string, Readonly<Record<string, AnyResolver>>>>

/**
 * The objects behind types of the schema: the resolver of a field of `Asset` receives an
 * `AssetRow`, and a field of that type returns one. A type without a row is answered with an
 * object of its fields. `npm run generate` reads these names.
 */
export type ActionRow = Link
export type AssetRow = Asset
export type AssetStatusRow = AssetStatus
export type AssetStatusReportRow = { readonly id: string | null }
export type ChannelRow = Signal
export type ConditionRow = Condition
export type ConditionCommentRow = ConditionComment
export type ConnectorRow = Connector
export type DataTypeRow = DataType
/** With its values where they were read with it. */
export type DeviceRow = DeviceRecord & { readonly state?: State }
/** An entry of the log, of a status or of a change. */
export type EventLogRow = {
  readonly id: string
  readonly timestamp: number
  readonly level: string
  readonly category: string
  readonly assetId: string | null
  /** The author of a change: `user:<id>`, or a program. */
  readonly subject: string | null
  readonly template_parameters: unknown
}
export type GroupRow = Group
export type InsightTransformationRow = Link
export type LinkRow = Link
export type LinkageCheckRow = LinkCheck
export type LinkageCheckBooleanRow = LinkCheck
export type LinkageCheckStringRow = LinkCheck
export type LinkageCheckNumberRow = LinkCheck
export type LinkageCheckTimeRow = LinkCheck
export type LinkageCheckJSONRow = LinkCheck
export type MetricDatapointRow = Value
export type ModuleRow = Module
export type ProductRow = Connector
export type PolicyRow = Policy
export type PipelineRow = AssetPipeline
export type PipelineVersionRow = PipelineVersion
export type ReportStatusRow = Report
export type RuleRow = Link
export type SignalRow = Signal
export type UserRow = User & { readonly ended?: EndedNames }
export type WorkInstructionRow = WorkInstruction
export type WorkInstructionContentRow = InstructionVersion
export type WorkInstructionVersionRow = InstructionVersion
export type SignalStatusRow = SignalStatus
export type StatusDatapointRow = Omit<SignalStatus | StatusEvent, 'id'>
export type StatusEventRow = StatusEvent
export type TemplateRow = Template
export type TemplateVersionRow = TemplateVersion
export type TransformationRow = Link
/** A unit of the catalogue, or the name of one that it does not have. */
export type UnitRow = { readonly type: DataType | undefined; readonly unit: Unit }

export type FunctionListRow = FunctionList
export type InsightFunctionRow = Link['insight']
export type FunctionConstantRow = InsightFunctionRow['constants'][number]
export type FunctionInletRow = InsightFunctionRow['inlets'][number]
export type FunctionOutletRow = InsightFunctionRow['outlets'][number]
