import type { InsightFunction } from '../../api/modules.ts'
import type { Signal } from '../../api/signals.ts'
import type { Source } from './document.ts'

type Inlet = InsightFunction['inlets'][number]

/** A misfit: what the source is, and what the inlet takes. */
export type Misfit = { readonly is: string; readonly wanted: string }

/**
 * Why a source does not fit an inlet; undefined if nothing is known against it. The server decides
 * for data types and units, as it knows their other names and which units are converted.
 */
export function findMisfit(
  { primitiveType, dataType, dataUnit }: Inlet,
  source: Source,
  signal: Pick<Signal, 'dataUnit'> | undefined,
  isRefused = false,
): Misfit | undefined {
  const has = source.primitiveType
  if (primitiveType !== null && has !== null && primitiveType !== has) {
    return { is: has, wanted: primitiveType }
  }
  if (!isRefused) return undefined
  const unit = signal?.dataUnit
  if (unit != null && dataUnit.length > 0 && !dataUnit.includes(unit)) {
    return { is: unit, wanted: dataUnit.join(' / ') }
  }
  return { is: has ?? '', wanted: dataType.join(' / ') || dataUnit.join(' / ') }
}
