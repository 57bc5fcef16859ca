import type { SignalTypeInputInfo } from '@millrace/insight-sdk/protocol'
import { omitUndefined } from '../../../foundation/kernel/index.ts'
import { wholeView } from '../../../people/groups/index.ts'
import {
  type Assets,
  type DeviceRef,
  findConversion,
  isSameUnit,
  type NewSignal,
  type Signal,
} from '../../assets/index.ts'
import { builtinId } from '../builtin/registry.ts'
import type { Link } from '../types.ts'

/** Converts numbers into a unit. */
type Conversion = { readonly unit: string; readonly convert: (value: number) => number }

type Measured = Pick<NewSignal, 'primitiveType' | 'dataType' | 'dataUnit'>

/**
 * Returns the conversion of a signal's values into the first unit that an inlet takes and that they
 * can be converted into. Undefined if they are in a unit that it takes, or in none that is known.
 */
export function inletConversion(
  { data_unit: units = [], data_type: types = [] }: SignalTypeInputInfo,
  { primitiveType, dataType, dataUnit }: Measured,
): Conversion | undefined {
  if (dataUnit == null || dataUnit === '' || primitiveType !== 'NUMERIC') return undefined
  const type = dataType ?? types[0] ?? null
  if (units.some((unit) => isSameUnit(type, unit, dataUnit))) return undefined
  for (const unit of units) {
    const convert = findConversion({ dataType: type, dataUnit }, unit)
    if (convert !== undefined) return { unit, convert }
  }
  return undefined
}

/** The way in which an inlet takes the values of its signal. */
export type ReceivedInlet = {
  /** Undefined if they are taken as they are. */
  readonly conversion: Conversion | undefined
  /** Describe the signal to a module, with the unit in which it gets the values. */
  readonly tags: Readonly<Record<string, string>>
}

type Receiver = Pick<Link, 'moduleId' | 'insight' | 'inlets'>

/**
 * The signals of which links need more than the id, with the devices that feed them. Built-in
 * functions need units alone.
 */
export async function inletSignals(
  assets: Pick<Assets, 'signals' | 'some'>,
  businessId: string,
  links: readonly Receiver[],
): Promise<ReadonlyMap<string, Signal>> {
  const ids = links.flatMap(({ moduleId, insight, inlets }) =>
    inlets.filter((_, at) => moduleId !== builtinId || insight.inlets[at]?.data_unit !== undefined),
  )
  if (ids.length === 0) return new Map()
  const view = wholeView(businessId)
  const signals = await assets.signals.some(view, [...new Set(ids)])
  const assetIds = new Set(signals.map(({ assetId }) => assetId))
  const devices = new Map(
    (await assets.some(view, [...assetIds])).map((one) => [one.id, one.device]),
  )
  return new Map(signals.map((one) => [one.id, withDevice(one, devices.get(one.assetId))]))
}

/** The signal of a resource names its device if that is not the one of its asset. */
export function withDevice(signal: Signal, device: DeviceRef | null | undefined): Signal {
  const { source } = signal
  if (source === null || !('alias' in source) || device == null) return signal
  return { ...signal, source: { device, ...source } }
}

/** By inlet; an inlet whose signal is not given is left out. */
export function receivedBy(
  { moduleId, insight, inlets }: Receiver,
  signals: ReadonlyMap<string, Signal>,
): ReadonlyMap<number, ReceivedInlet> {
  const received = new Map<number, ReceivedInlet>()
  for (const [at, id] of inlets.entries()) {
    const inlet = insight.inlets[at]
    const signal = signals.get(id)
    if (inlet === undefined || signal === undefined) continue
    const conversion = inletConversion(inlet, signal)
    const tags = moduleId === builtinId ? {} : makeTags(signal, conversion?.unit)
    received.set(at, { conversion, tags })
  }
  return received
}

function makeTags(
  { source, dataType, dataUnit, primitiveType }: Signal,
  unit: string | undefined,
): Readonly<Record<string, string>> {
  const fed = source !== null && 'alias' in source ? source : undefined
  return omitUndefined({
    pid: fed?.device?.connectorId,
    identity: fed?.device?.identity,
    resource: fed?.alias,
    metric: fed && (fed.channel ?? fed.alias),
    data_type: dataType ?? undefined,
    data_unit: unit ?? dataUnit ?? undefined,
    primitive_type: primitiveType,
  })
}
