import type { Signal } from '../../api/signals.ts'
import type { PlotSearch } from './routes.tsx'

export type Units = NonNullable<PlotSearch['units']>

const prefix = 'millrace.units.'

/** Keeps in this browser what a person chose for signals of these types of data. */
export function keepUnits(signals: readonly Signal[], units: Units): void {
  for (const signal of signals) {
    try {
      window.localStorage.setItem(keyOf(signal), units)
    } catch {
      // Storage is off: the choice stands in the address only.
    }
  }
}

/** What the address says, else what was chosen before for signals of this type of data. */
export function unitsOf(signal: Signal, address: PlotSearch['units']): Units {
  return address ?? kept(keyOf(signal))
}

/** A signal without a type is known by its unit. */
function keyOf({ dataType, dataUnit }: Signal): string {
  return `${prefix}${dataType ?? dataUnit ?? ''}`
}

function kept(key: string): Units {
  try {
    const text = window.localStorage.getItem(key)
    return text === 'metric' || text === 'us' ? text : 'own'
  } catch {
    return 'own'
  }
}

/** The unit of the points, if it is another than the signal's own. */
export function unitOf(signal: Signal, address: PlotSearch['units']): string | null {
  const units = unitsOf(signal, address)
  if (units === 'metric') return signal.visualizationUnitsMetric
  if (units === 'us') return signal.visualizationUnitsUS ?? signal.units?.usCustomaryConvert ?? null
  return null
}
