import type { Json, JsonObject } from '../../foundation/kernel/index.ts'
import type { Severity } from '../../log/activity/index.ts'
import type { AreaFilter } from './area.ts'
import type { SignalDisplay } from './signals/display.ts'

/** The type of a signal's values. */
export type PrimitiveType = 'NUMERIC' | 'STRING' | 'BOOLEAN' | 'JSON'

/** A device, by its identity in its connector. */
export type DeviceRef = { readonly connectorId: string; readonly identity: string }

/** A device of a business, as an entry of the event log names it. */
export type OwnedDevice = DeviceRef & { readonly businessId: string }

/** A value of a signal, by the signal's id. */
export type SignalReading = Value & { readonly signalId: string }

export type Asset = {
  readonly id: string
  readonly businessId: string
  readonly name: string
  readonly description: string
  readonly groupId: string
  /** The device that feeds those of its signals that name no device themselves. */
  readonly device: DeviceRef | null
  /** Data that other programs keep with it. */
  readonly meta: JsonObject
  /** The kind of thing that it is; null if nobody gave one. */
  readonly assetType: string | null
  readonly location: AssetLocation | null
  /** A person cannot change it, its signals and its pipeline until it is unlocked. */
  readonly locked: boolean
  /** The template that it was made of; null: of none. It may be gone. */
  readonly templateId: string | null
  /** Microseconds. */
  readonly createdAt: number
}

/** A fixed place in degrees, or a signal that has the place as its value. */
export type AssetLocation =
  | { readonly latitude: number; readonly longitude: number }
  | { readonly signalId: string }

/** A change of an asset; fields that are left out stay. */
export type AssetChange = {
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  /** The group that it is moved to. */
  readonly groupId?: string | null | undefined
  /** Null: no device. */
  readonly device?: DeviceRef | null | undefined
  readonly meta?: JsonObject | null | undefined
  readonly assetType?: string | null | undefined
  readonly location?: AssetLocation | null | undefined
  readonly locked?: boolean | null | undefined
}

/** Assets that have all that is given. */
export type AssetFilter = AreaFilter & {
  readonly ids?: readonly string[] | null | undefined
  /** Assets of this group and those below it. */
  readonly groupId?: string | null | undefined
  /** Letters of the name or of the description, in any case; levels are those of now. */
  readonly text?: string | null | undefined
  readonly levels?: readonly Level[] | null | undefined
  /** Made at this time or later, and before that one. */
  readonly createdFrom?: number | null | undefined
  readonly createdTo?: number | null | undefined
  /** That have one of these signals; that were made of one of these templates. */
  readonly signalIds?: readonly string[] | null | undefined
  readonly templateIds?: readonly string[] | null | undefined
  /** That have a location, or have none. */
  readonly location?: boolean | null | undefined
  readonly order?: 'created' | 'name' | 'distance' | null | undefined
  readonly descending?: boolean | null | undefined
  /** The asset after which the page begins; in the order of creation only. */
  readonly after?: string | null | undefined
}

/** Without a group the asset lies in the root. */
export type NewAsset = {
  readonly name: string
  readonly groupId?: string | null | undefined
  readonly description?: string | null | undefined
  readonly device?: DeviceRef | null | undefined
  readonly meta?: JsonObject | null | undefined
  readonly assetType?: string | null | undefined
  readonly signals?: readonly NewSignal[] | null | undefined
  readonly location?: AssetLocation | null | undefined
  /** The template of which the caller makes it. */
  readonly templateId?: string | null | undefined
  /**
   * The description of channels that its device wrote: those that no signal has yet become signals.
   * It is refused if another asset names the device.
   */
  readonly configIo?: string | null | undefined
}

/**
 * A resource of a device: a channel of its `data_in`, or the whole resource where no channel is
 * named. Without a device it is the asset's own.
 */
export type ResourceSource = {
  readonly alias: string
  readonly channel?: string
  readonly device?: DeviceRef
}

/** An outlet of a linked function; outlets count from 0. */
export type OutletSource = { readonly linkId: string; readonly outlet: number }

export type SignalSource = ResourceSource | OutletSource

export type Signal = {
  /** The public id, 16 characters. */
  readonly id: string
  /** The integer under which its values are stored; never shown, never used again. */
  readonly key: number
  readonly assetId: string
  readonly businessId: string
  readonly name: string
  readonly description: string
  readonly primitiveType: PrimitiveType
  /** Such as TEMPERATURE; null if it was not given. */
  readonly dataType: string | null
  /** Such as DEG_CELSIUS; null if it was not given. */
  readonly dataUnit: string | null
  /** Digits behind the point that are worth showing. */
  readonly precision: number | null
  readonly min: number | null
  readonly max: number | null
  /** The factor and the offset that convert a device's number. */
  readonly multiplier: number | null
  readonly offset: number | null
  readonly source: SignalSource | null
  /** After so long without a value the asset's status is `timeout`. */
  readonly timeoutMs: number | null
  readonly tags: Readonly<Record<string, string>>
  /** The given part of its display. */
  readonly display: SignalDisplay
  /** The key under which the template of its asset has it; null: it is of none. */
  readonly templateKey: string | null
}

/** Everything but the name and the primitive type may be missing or null. */
export type NewSignal = {
  readonly name: string
  readonly primitiveType: PrimitiveType
} & {
  readonly [Field in OptionalField]?: Signal[Field] | null | undefined
}

type OptionalField =
  | 'description'
  | 'dataType'
  | 'dataUnit'
  | 'precision'
  | 'min'
  | 'max'
  | 'multiplier'
  | 'offset'
  | 'source'
  | 'timeoutMs'
  | 'tags'
  | 'display'
  | 'templateKey'

/** A change of a signal; fields that are left out stay, and null removes. */
export type SignalChange = {
  readonly name?: string | null | undefined
  readonly source?: ResourceSource | null | undefined
} & {
  readonly [Field in Exclude<OptionalField, 'source'>]?: Signal[Field] | null | undefined
}

/** A signal that a device's resource feeds, and that resource. */
export type Feed = {
  readonly signal: Signal
  readonly connectorId: string
  readonly identity: string
  readonly alias: string
  readonly channel?: string
}

/** `ts` in microseconds. */
export type Value = {
  readonly ts: number
  readonly value: Json
  /** Left out of a value that was computed, and by reads of the value alone. */
  readonly received?: Reception
}

/** The way and the time in which a value came. */
export type Reception = {
  /** The device's protocol; null if no device sent it. `at` in microseconds. */
  readonly protocol: string | null
  readonly at: number
}

/** A value of the signal with this integer key; `ts` in microseconds. */
export type NewValue = {
  readonly key: number
  readonly ts: number
  readonly value: Json
  /** The platform gave the stamp: if the signal has a value with it, this one gets the next one. */
  readonly platformStamp?: boolean
  /** Left out of a value that a function computed. */
  readonly received?: Reception
}

/** `from` is part of the range, `to` is not; microseconds. Newest first without `asc`. */
export type HistoryRange = {
  readonly from?: number | null | undefined
  readonly to?: number | null | undefined
  readonly limit?: number | null | undefined
  readonly order?: 'asc' | 'desc' | null | undefined
}

/** The function that is computed over the values of an interval. */
export type SeriesAggregate = 'avg' | 'min' | 'max' | 'sum' | 'count' | 'first' | 'last'

/** The values of several signals: a range of each, or one point for each interval. */
export type DataRange = HistoryRange & {
  /** A length such as `15m`, `1h`, `1d` or `1w`. */
  readonly every?: string | null | undefined
  /** `avg` if it is left out. */
  readonly aggregate?: SeriesAggregate | null | undefined
  /** A unit of the signals' data type. */
  readonly unit?: string | null | undefined
}

/** A rule of an asset, by its link. */
export type RuleRef = { readonly assetId: string; readonly ruleId: string }

export type Level = 0 | 1 | 2 | 3 | 4
export const levelNames = ['normal', 'info', 'warning', 'critical', 'error'] as const
export type LevelName = (typeof levelNames)[number]

/** A rule's status; `ts`, in microseconds, is that of the data it evaluated. */
export type NewStatus = {
  readonly ts: number
  readonly level: Level
  readonly type?: string | null | undefined
  readonly value?: Json | undefined
  /** The kind of statuses that it belongs to; without one `default`. */
  readonly category?: string | null | undefined
  /** The signal that is judged. */
  readonly signalId?: string | null | undefined
}

/** A status with its rule. */
export type RuleStatus = NewStatus & {
  readonly businessId: string
  readonly assetId: string
  readonly ruleId: string
}

/** The worst of an asset's rules, and, apart from it, whether one of its signals fell silent. */
export type AssetStatus = {
  readonly level: Level
  readonly name: LevelName
  /** Microseconds; null if no rule has set one. */
  readonly since: number | null
  readonly type?: string
  readonly value?: Json
  /** The link of the rule that says so, and the signal that it judges. */
  readonly ruleId?: string
  readonly signalId?: string
  readonly category?: string
  /** A signal that has had a value has had none for longer than its timeout. */
  readonly timeout: boolean
}

/** The status by one rule of an asset, or by a signal that is silent. */
export type SignalStatus = {
  /** The link of the rule; null for a signal that is silent. */
  readonly ruleId: string | null
  /** The signal that is judged, or silent; null if the rule has none. */
  readonly signalId: string | null
  /** `timeout` for a signal that is silent; else the rule's, usually `default`. */
  readonly category: string
  readonly level: Level
  readonly name: LevelName
  /** Microseconds: the time of the data, and the time at which the level was reached. */
  readonly ts: number
  readonly since: number
  readonly type?: string
  readonly value?: Json
}

/** The level of a rule changed, or a signal fell silent or spoke again. */
export type StatusEvent = {
  readonly id: string
  readonly assetId: string
  /** The link of the rule; null for a signal that is silent, or is no longer. */
  readonly ruleId: string | null
  /** The signal that is judged or silent; null if the rule has none. */
  readonly signalId: string | null
  readonly category: string
  /** Microseconds. */
  readonly ts: number
  readonly level: Level
  readonly name: LevelName
  readonly previous: Level
  readonly type?: string
  readonly value?: Json
}

/** The same with the time at which it was recorded, in microseconds. */
export type LoggedEvent = StatusEvent & { readonly at: number }

/** Events that have all that is given. */
export type EventFilter = {
  readonly assetId?: string | null | undefined
  readonly levels?: readonly Level[] | null | undefined
  readonly category?: string | null | undefined
  /** Recorded at this time or later, and before that one. */
  readonly from?: number | null | undefined
  readonly to?: number | null | undefined
}

/** The same with its business. */
export type OwnedStatusEvent = StatusEvent & { readonly businessId: string }

/** A line of an asset's log, for the person who looks after it; `at` in microseconds. */
export type LogLine = { readonly at: number; readonly severity: Severity; readonly text: string }

/** Without `at` it is now. */
export type NewLogLine = Omit<LogLine, 'at'> & { readonly at?: number | undefined }

/** A connector whose new devices get an asset by themselves, and the group where it goes. */
export type Intake = { readonly businessId: string; readonly groupId: string | null }

/** A channel of a device, as its `config_io` describes it. */
export type ChannelSpec = {
  readonly channel: string
  readonly name: string
  readonly description: string
  readonly primitiveType: PrimitiveType
  readonly dataType: string | null
  readonly dataUnit: string | null
  readonly precision: number | null
  readonly min: number | null
  readonly max: number | null
  /** True if the cloud may write it. */
  readonly control: boolean
  readonly sampleRateMs: number | null
  readonly reportRateMs: number | null
  readonly timeoutMs: number | null
  readonly multiplier: number | null
  readonly offset: number | null
}

/** A device's description of channels that feed signals of an asset. */
export type ChannelDescription = {
  readonly businessId: string
  readonly assetId: string
  readonly device: DeviceRef
  readonly channels: readonly ChannelSpec[]
}

/** The signals that a description added, and how many others it changed. */
export type SyncedChannels = { readonly created: readonly Signal[]; readonly updated: number }

export function levelName(level: Level): LevelName {
  return levelNames[level] ?? 'error'
}

export function levelNamed(name: string): Level | undefined {
  const level = levelNames.findIndex((known) => known === name)
  return isLevel(level) ? level : undefined
}

export function levelFor(name: LevelName): Level {
  return levelNames.indexOf(name) as Level
}

/** The category of a status that names none, and that of silent signals. */
export const defaultCategory = 'default'
export const timeoutCategory = 'timeout'

/** The level of a silent signal. It does not change that of the asset. */
export const timeoutLevel: Level = 2

/** True if a number is a status level. */
export function isLevel(value: unknown): value is Level {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < levelNames.length
}
