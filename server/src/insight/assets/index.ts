export { type GeoPoint, parsePlace } from './area.ts'
export { createAssets } from './assets.ts'
export type {
  Condition,
  ConditionComment,
  ConditionFilter,
  ConditionOrder,
} from './conditions/condition.ts'
export { type ConfigIo, parseConfigIo } from './config-io.ts'
export { type DataIn, parseDataIn } from './data-in.ts'
export type { Following, PlacedLine } from './follow.ts'
export type { Generations } from './generations.ts'
export { assetLimits } from './limits.ts'
export type { AssetsOptions } from './options.ts'
export type { Assets, Intakes, Signals } from './public.ts'
export { intervalUs } from './read-values.ts'
export { toSignalValue } from './signal-value.ts'
export { type SignalDisplay, signalDisplaySchema } from './signals/display.ts'
export {
  type AssetListField,
  assetFields,
  type SignalField,
  signalFields,
} from './store/asset-text.ts'
export { assetDependants, assetRows, connectorFedAssets } from './store/business.ts'
export { changeTo, toDocument } from './templates/document.ts'
export { findTemplateOverrides } from './templates/overrides.ts'
export {
  type NewTemplate,
  type Template,
  type TemplateChange,
  type TemplateDocument,
  type TemplateFilter,
  type TemplateSignal,
  type Templates,
  type TemplateVersion,
  templateDifferenceSchema,
} from './templates/template.ts'
export type {
  Asset,
  AssetChange,
  AssetFilter,
  AssetLocation,
  AssetStatus,
  ChannelDescription,
  ChannelSpec,
  DataRange,
  DeviceRef,
  Feed,
  HistoryRange,
  Intake,
  Level,
  LevelName,
  LoggedEvent,
  LogLine,
  NewAsset,
  NewLogLine,
  NewSignal,
  NewStatus,
  NewValue,
  OutletSource,
  OwnedDevice,
  PrimitiveType,
  ResourceSource,
  Signal,
  SignalChange,
  SignalReading,
  SignalSource,
  SignalStatus,
  StatusEvent,
  SyncedChannels,
  Value,
} from './types.ts'
export { levelFor, levelName, levelNamed, levelNames } from './types.ts'
export {
  findConversion,
  findDataType,
  findPrimitiveType,
  findUnit,
  isSameType,
  isSameUnit,
} from './units/catalogue.ts'
export { dataTypes } from './units/data-types.ts'
export { findCustomaryUnit, findSharedUnit, findSiUnit } from './units/systems.ts'
export type { DataType, Unit } from './units/unit.ts'
export type { ValuePeriods, ValueRetention } from './value-retention.ts'
