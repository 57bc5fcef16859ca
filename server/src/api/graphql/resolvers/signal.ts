import { Fault, type Json } from '../../../foundation/kernel/index.ts'
import {
  findDataType,
  findTemplateOverrides,
  findUnit,
  type Signal,
  type Value,
} from '../../../insight/assets/index.ts'
import type { Context } from '../context.ts'
import { toRowError } from '../errors.ts'
import type { PanelMetricOptions, Resolvers } from '../generated/resolvers.ts'
import { findDevice, parseNewSignal, parseSignalChange, requireOwnDevices } from '../inputs.ts'
import type { UnitRow } from '../resolver.ts'

const displayFields = {
  visualize: ({ display }: Signal) => display.visualize ?? true,
  record: ({ display }: Signal) => display.record ?? true,
  favorite: ({ display }: Signal) => display.favorite ?? false,
  archived: ({ display }: Signal) => display.archived ?? false,
  deviceDiagnostic: ({ display }: Signal) => display.deviceDiagnostic ?? false,
  control: ({ display }: Signal) => display.control ?? false,
  baseline: ({ display }: Signal) => display.baseline,
  target: ({ display }: Signal) => display.target,
  sampleRate: ({ display }: Signal) => display.sampleRateMs,
  displayFormat: ({ display }: Signal) => display.displayFormat,
  visualizationUnitsMetric: ({ display }: Signal) => display.visualizationUnitsMetric,
  visualizationUnitsUS: ({ display }: Signal) => display.visualizationUnitsUS,
}

export const signalResolvers = {
  Query: {
    async signals(_, { ids }, context) {
      const found = await context.assets.signals.some(context.principal.view, ids)
      const byId = new Map(found.map((signal) => [signal.id, signal]))
      return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
    },
  },

  Mutation: {
    async createSignal(_, { assetId, input }, context) {
      const signal = parseNewSignal(input)
      const device = findDevice(signal)
      await requireOwnDevices(context, device === undefined ? [] : [device])
      return context.assets.signals.create(context.principal.view, assetId, signal)
    },

    async updateSignal(_, { id, input }, context) {
      const change = parseSignalChange(input)
      const device = findDevice(change)
      await requireOwnDevices(context, device === undefined ? [] : [device])
      const { links } = context.pipelines
      return links.updateSignal(context.principal.view, id, change)
    },

    async setSignalRetention(_, { id, hours = null }, context) {
      await context.assets.valueRetention.set(context.principal.view, id, hours)
      return context.assets.signals.get(context.principal.view, id)
    },

    async writeSignalValues(_, { values }, { pipelines, principal: { view, subject } }) {
      const writes = values.map((one) => ({ ...one, value: one.value as Json }))
      const refusals = await pipelines.written.write(view, writes, subject)
      return values.map(({ signalId }, at) => {
        const refusal = refusals[at]
        return { signalId, error: refusal instanceof Fault ? toRowError(refusal) : null }
      })
    },

    moveSignal(_, { id, assetId }, context) {
      const { links } = context.pipelines
      return links.moveSignal(context.principal.view, id, assetId)
    },
  },

  Signal: {
    primitive_type: ({ primitiveType }) => primitiveType,
    type: ({ dataType }) => (dataType === null ? null : findDataType(dataType)),
    units: unitRow,
    channel: (signal) => (isOfChannel(signal) ? signal : null),
    root: isOfChannel,
    precision: (signal) => toSetting(signal, signal.precision),
    signalMin: (signal) => toSetting(signal, signal.min),
    signalMax: (signal) => toSetting(signal, signal.max),
    timeout: (signal) => toSetting(signal, signal.timeoutMs),
    reportRate: (signal) => toSetting(signal, signal.display.reportRateMs ?? null),
    ...displayFields,
    tag: ({ tags }) => tags.tag ?? null,
    locked: ({ assetId }, _, { loaders }) => loaders.isLocked(assetId),
    async templateOverrides(signal, _, { loaders }) {
      if (signal.templateKey === null) return null
      const template = await loaders.loadTemplate(signal.assetId)
      return template === null ? null : findTemplateOverrides(signal, template)
    },
    retentionHours: ({ id }, _, { loaders }) => loaders.retentionHours(id),
    /** The loader reads those of all signals at once, so this is no look-up of its own. */
    lastValue: ({ id }, _, context) => context.loaders.lastValue(id),
    data: loadData,
  },

  Channel: {
    id: ({ source }) =>
      (source !== null && 'alias' in source && (source.channel ?? source.alias)) || '',
    display_name: ({ name }) => name,
    properties: ({ dataType, primitiveType, dataUnit, precision, min, max, display }) => ({
      data_type: dataType,
      primitive_type: primitiveType,
      data_unit: dataUnit,
      precision,
      min,
      max,
      control: display.control ?? false,
    }),
    data: loadData,
  },

  MetricDatapoint: {
    timestamp: ({ ts }) => ts,
    valueString: ({ value }) => valueToText(value),
    protocol: ({ received }) => received?.protocol ?? null,
    receivedTime: ({ received }) => received?.at ?? null,
  },
} satisfies Resolvers

function loadData(
  signal: Signal,
  { options }: { readonly options?: PanelMetricOptions | null | undefined },
  { loaders }: Context,
): Promise<readonly Value[]> {
  return loaders.values(signal, options ?? {})
}

/** A text as it is, anything else as JSON. */
export function valueToText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isOfChannel({ source }: Signal): boolean {
  return source !== null && 'alias' in source
}

/** A channel's description makes the setting of the signal that it feeds. */
function toSetting(signal: Signal, value: number | null) {
  if (value === null) return null
  return isOfChannel(signal)
    ? { value, channel: value, signal: null }
    : { value, channel: null, signal: value }
}

function unitRow({ dataType, dataUnit }: Signal): UnitRow | null {
  if (dataUnit === null) return null
  const type = dataType === null ? undefined : findDataType(dataType)
  const unit = type && findUnit(type, dataUnit)
  if (unit !== undefined) return { type, unit }
  const unknown = { id: dataUnit, abbreviation: '', factor: null, shift: 0, kind: '', aliases: [] }
  return { type: undefined, unit: unknown }
}
