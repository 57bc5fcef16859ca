import type { SignalTypeInputInfo } from '@millrace/insight-sdk/protocol'
import { type Assets, conversionOf, isSameUnit, type NewSignal } from '../../assets/index.ts'
import { wholeView } from '../../groups/index.ts'
import type { Link } from '../types.ts'

/** Makes a value in one unit a value in another one. */
export type Conversion = (value: number) => number

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
    const conversion = conversionOf({ dataType: type, dataUnit }, unit)
    if (conversion !== undefined) return conversion
  }
  return undefined
}

/** The conversions of links, by link and inlet; of most links there are none. */
export async function conversionsOf(
  assets: Pick<Assets, 'signals'>,
  businessId: string,
  links: readonly Pick<Link, 'id' | 'insight' | 'inlets'>[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, Conversion>>> {
  const measured = links.flatMap(({ id, insight, inlets }) =>
    insight.inlets.flatMap((inlet, at) => {
      const signalId = inlets[at]
      const isMeasured = inlet.data_unit !== undefined && signalId !== undefined
      return isMeasured ? [{ id, inlet, at, signalId }] : []
    }),
  )
  if (measured.length === 0) return new Map()
  const ids = [...new Set(measured.map(({ signalId }) => signalId))]
  const signals = new Map(
    (await assets.signals.some(wholeView(businessId), ids)).map((one) => [one.id, one]),
  )
  const all = new Map<string, Map<number, Conversion>>()
  for (const { id, inlet, at, signalId } of measured) {
    const signal = signals.get(signalId)
    const conversion = signal && inletConversion(inlet, signal)
    if (conversion === undefined) continue
    const own = all.get(id) ?? new Map<number, Conversion>()
    all.set(id, own.set(at, conversion))
  }
  return all
}
