export { createAssets } from './assets.ts'
export { type ConfigIo, parseConfigIo } from './config-io.ts'
export { type DataIn, parseDataIn } from './data-in.ts'
export type { Generations } from './generations.ts'
export type { Assets, Groups, Intakes, Signals } from './public.ts'
export { toSignalValue } from './signal-value.ts'
export type {
  Asset,
  AssetStatus,
  AssetsOptions,
  ChannelDescription,
  ChannelSpec,
  DeviceRef,
  Feed,
  Group,
  HistoryRange,
  Intake,
  Level,
  LevelName,
  LogLine,
  NewAsset,
  NewGroup,
  NewLogLine,
  NewSignal,
  NewStatus,
  NewValue,
  OutletSource,
  OwnedDevice,
  PageRange,
  PrimitiveType,
  ResourceSource,
  Signal,
  SignalSource,
  StatusEvent,
  SyncedChannels,
  Value,
} from './types.ts'
