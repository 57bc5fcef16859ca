import type { Queryable, Transaction } from '../../foundation/database/index.ts'
import type { Fault, PageRange } from '../../foundation/kernel/index.ts'
import type { View } from '../../people/groups/index.ts'
import type { ValueReader } from './area.ts'
import type { Conditions } from './conditions/conditions.ts'
import type { Following } from './follow.ts'
import type { Generations, Owned } from './generations.ts'
import type { StatusListener } from './statuses/status-events.ts'
import type { Timeouts } from './statuses/timeouts.ts'
import type { AssetListField, AssetListText } from './store/asset-text.ts'
import type { AssetRef } from './store/channels.ts'
import type { Templates } from './templates/template.ts'
import type {
  Asset,
  AssetChange,
  AssetFilter,
  AssetStatus,
  ChannelDescription,
  DataRange,
  DeviceRef,
  EventFilter,
  Feed,
  HistoryRange,
  Intake,
  LoggedEvent,
  LogLine,
  NewAsset,
  NewLogLine,
  NewSignal,
  NewValue,
  OutletSource,
  OwnedDevice,
  RuleRef,
  RuleStatus,
  Signal,
  SignalChange,
  SignalStatus,
  StatusEvent,
  SyncedChannels,
  Value,
} from './types.ts'
import type { ValuePeriods, ValueRetention } from './value-retention.ts'

/**
 * The present state: assets, their signals, values and statuses. All times in µs. Callers read and
 * change assets with their view; assets outside of it do not exist for them. The platform's own
 * writers name the business.
 */
export type Assets = {
  readonly signals: Signals
  readonly intake: Intakes
  readonly conditions: Conditions
  readonly following: Following
  readonly templates: Templates
  /** Signals that fall silent, and speak again. */
  readonly timeouts: Timeouts
  /** Calls the listener with each change of a status, in its transaction. */
  onStatusChange(listener: StatusListener): void

  /**
   * @throws Fault `invalid_argument`; `not_found` where the business has no such group;
   *   `already_exists` for a description of channels whose device another asset names.
   */
  create(view: View, asset: NewAsset, transaction?: Transaction): Promise<Asset>
  /** @throws Fault `not_found`. */
  get(view: View, id: string): Promise<Asset>
  /** The assets with these ids; unknown ids are missing. */
  some(view: View, ids: readonly string[]): Promise<Asset[]>
  /**
   * The asset; nobody else changes its signals or links, or removes it, until the transaction ends.
   * @throws Fault `not_found`.
   */
  hold(transaction: Transaction, view: View, id: string): Promise<Asset>
  /** In the order they were created unless another is asked. */
  list(view: View, page?: AssetFilter & PageRange): Promise<Asset[]>
  /**
   * The same as JSON, with these fields of the assets and their signals. Undefined if too many
   * different selections were asked for: read the list then.
   */
  listText(
    view: View,
    page: AssetFilter & PageRange,
    fields: readonly AssetListField[],
  ): Promise<AssetListText | undefined>
  /** A page of the assets of each of these groups, which were read with this view, by group. */
  inGroups(
    view: View,
    groupIds: readonly string[],
    page?: PageRange,
  ): Promise<ReadonlyMap<string, Asset[]>>
  /** Counts the assets of groups that were read with this view; 0 are missing. */
  countIn(view: View, groupIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** @throws Fault `not_found`; `invalid_argument`, also if it is locked. */
  update(view: View, id: string, change: AssetChange): Promise<Asset>
  /** Counts those that the view sees, or of these those that the filter finds. */
  count(view: View, filter?: AssetFilter): Promise<number>
  /**
   * Removes the asset with its signals, statuses and log, and returns it as it was.
   * @throws Fault `not_found`.
   */
  remove(view: View, id: string, transaction?: Transaction): Promise<Asset>

  /**
   * Counts the assets that each of these devices feeds, seen or not, by `<connector>.<identity>`.
   */
  deviceUses(view: View, devices: readonly DeviceRef[]): Promise<ReadonlyMap<string, number>>
  /** Returns the oldest asset that names each device, in their order. */
  ofDevices(devices: readonly OwnedDevice[]): Promise<(Asset | undefined)[]>
  /**
   * Returns the asset of each device, in their order: the oldest that names it, or a new one in the
   * intake's group. Safe to call twice at once: one asset is made.
   */
  ensureDeviceAssets(
    transaction: Transaction,
    devices: readonly OwnedDevice[],
  ): Promise<{ asset: Asset; created: boolean }[]>
  /**
   * Makes the signals that assets lack of devices' channels, and brings names, types, units and
   * timeouts of the others up to date. Removes none. Each description is of another asset. A
   * description that cannot be followed returns its Fault, `not_found` or `invalid_argument`.
   */
  syncChannels(
    transaction: Transaction,
    descriptions: readonly ChannelDescription[],
  ): Promise<(SyncedChannels | Fault)[]>

  /** The generations of the structure of these businesses: each grows with every change of it. */
  generations(owned: readonly Owned[]): Promise<Generations>
  /** Counts a change of what belongs to assets. To be called last in its transaction. */
  countChange(transaction: Transaction, assets: readonly AssetRef[]): Promise<void>
  /**
   * The signals that these devices feed, in assets of the device's own business only. The
   * generations are read unless the caller has read them.
   */
  feeds(devices: readonly OwnedDevice[], generations?: Generations): Promise<Feed[]>
  /**
   * Keeps values in history and as the latest of their signals. If a signal has two values of one
   * time, the later write wins, except that a value with the platform's stamp is kept at the next
   * microsecond that is free; the latest value is replaced if the new time is not older. Numbers
   * that are not finite are refused, with a line in the asset's log. To be called once in a
   * transaction.
   */
  writeValues(transaction: Transaction, values: readonly NewValue[]): Promise<void>
  /** By signal id; signals without a value are missing. */
  lastValues(view: View, signalIds: readonly string[]): Promise<Map<string, Value>>
  /** The same, with how and when each came; none for who may not read values. */
  lastReceived(reader: ValueReader, signalIds: readonly string[]): Promise<Map<string, Value>>
  /** @throws Fault `not_found`; `invalid_argument` where the limit is above historyValuesMax. */
  history(view: View, signalId: string, range?: HistoryRange): Promise<Value[]>
  /**
   * The values of signals that were read with this view, by signal id, in one statement.
   * @throws Fault `invalid_argument`.
   */
  histories(
    view: View,
    signals: readonly Signal[],
    range?: DataRange,
  ): Promise<ReadonlyMap<string, readonly Value[]>>
  /**
   * The changes of the levels of rules of assets that were read with this view, newest first, by
   * rule. @throws Fault `invalid_argument`.
   */
  ruleEvents(
    view: View,
    rules: readonly RuleRef[],
    range?: HistoryRange,
  ): Promise<ReadonlyMap<string, readonly StatusEvent[]>>
  /** The time of the newest value of assets that were read with this view, by asset id. */
  newestValues(view: View, assetIds: readonly string[]): Promise<ReadonlyMap<string, number>>

  /**
   * Stores results of rules, those of each rule in their order. A level begins as normal; a status
   * older than the stored one is not stored. `changed`: the level is another one now, and an event
   * was recorded.
   */
  setStatuses(
    transaction: Transaction,
    statuses: readonly RuleStatus[],
  ): Promise<readonly { readonly changed: boolean }[]>
  /** Deletes the status of a rule that was deleted. Its events stay. */
  clearStatus(queryable: Queryable, businessId: string, ruleId: string): Promise<void>
  /** By asset id; ids that the view does not see are missing. */
  statuses(view: View, assetIds: readonly string[]): Promise<Map<string, AssetStatus>>
  /**
   * The statuses of each rule, and of each signal that is silent, by asset id, the worst and newest
   * first; assets without any are missing.
   */
  allStatuses(view: View, assetIds: readonly string[]): Promise<Map<string, SignalStatus[]>>
  /** The events of all assets, the last recorded first. */
  eventLog(view: View, filter?: EventFilter, page?: PageRange): Promise<LoggedEvent[]>
  /** Newest first. @throws Fault `not_found`. */
  events(view: View, assetId: string, page?: PageRange): Promise<StatusEvent[]>

  /** Adds a line to the asset's log; nothing where the asset is gone. */
  log(queryable: Queryable, businessId: string, assetId: string, line: NewLogLine): Promise<void>
  /** Newest first. @throws Fault `not_found`. */
  logLines(view: View, assetId: string, page?: PageRange): Promise<LogLine[]>

  /** Makes the partitions of values ahead of `nowUs`; those that are there already stay. */
  ensurePartitions(nowUs: number): Promise<void>
  /** Drops the weeks of history that ended before `us`. Latest values stay. */
  dropValuesBefore(us: number): Promise<{ weeks: number; rows: number }>
  /** The periods for which values of signals are kept. */
  readonly valueRetention: ValueRetention
  /** Removes what is left of removed signals, old events, and values older than their periods. */
  removeOld(periods?: ValuePeriods): Promise<void>
}

export type Signals = {
  /** @throws Fault `not_found`, `invalid_argument`. */
  create(view: View, assetId: string, signal: NewSignal, transaction?: Transaction): Promise<Signal>
  /** @throws Fault `not_found`. */
  get(view: View, id: string): Promise<Signal>
  /** The signals with these ids; unknown ids are missing. */
  some(view: View, ids: readonly string[]): Promise<Signal[]>
  /** In the order they were created. */
  ofAssets(view: View, assetIds: readonly string[], queryable?: Queryable): Promise<Signal[]>
  /** The same, each with its latest value; null if it has none, or its reader may not read it. */
  withLatest(
    reader: ValueReader,
    assetIds: readonly string[],
  ): Promise<{ readonly signal: Signal; readonly latest: Value | null }[]>
  /**
   * Sets the outlet that feeds a signal that no device feeds; null detaches it. Its values stay.
   * @throws Fault `not_found`; `invalid_argument` for the name.
   */
  setOutlet(
    transaction: Transaction,
    view: View,
    id: string,
    outlet: OutletSource | null,
    name?: string,
  ): Promise<Signal>
  /**
   * Fields that are left out stay.
   * @throws Fault `not_found`, `invalid_argument`; one that is locked.
   */
  update(view: View, id: string, change: SignalChange, transaction?: Transaction): Promise<Signal>
  /**
   * Gives a signal to another asset, with its history.
   * @throws Fault `not_found`; `in_use` for one that a function feeds, or that is a location.
   */
  move(view: View, id: string, assetId: string, transaction?: Transaction): Promise<Signal>
  /** The signals that functions' outlets feed, by link and outlet. */
  ofLinks(view: View, linkIds: readonly string[]): Promise<Signal[]>
  /** @throws Fault `not_found`. */
  remove(view: View, id: string, transaction?: Transaction): Promise<Signal>
}

export type Intakes = {
  /** Null ends the intake. The caller checks that the connector is the business's own. */
  set(
    view: View,
    connectorId: string,
    intake: { readonly groupId?: string | null | undefined } | null,
  ): Promise<void>
  /** The intakes of connectors, by connector id; those without one are missing. */
  of(connectorIds: readonly string[]): Promise<ReadonlyMap<string, Intake>>
}
