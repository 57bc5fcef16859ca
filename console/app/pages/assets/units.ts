import type { PreferredUnits } from '../../api/people/own-account.ts'
import type { Signal } from '../../api/signals.ts'
import type { PlotSearch } from './routes.tsx'

export type Units = NonNullable<PlotSearch['units']>

/** The preferences that a choice for signals makes; none for types that the catalogue lacks. */
export function preferenceOf(
  signals: readonly Signal[],
  units: Units,
): Record<string, PreferredUnits | null> {
  const types = signals.flatMap(({ type }) => (type === null ? [] : [type.id]))
  return Object.fromEntries(types.map((type) => [type, units === 'own' ? null : units]))
}

/** What the address says, else what the person prefers for the type of the signal. */
export function unitsOf(
  { type }: Signal,
  address: PlotSearch['units'],
  preferred: Readonly<Record<string, PreferredUnits>>,
): Units {
  return address ?? (type === null ? undefined : preferred[type.id]) ?? 'own'
}

/** The unit of the points, if it is another than the signal's own. */
export function unitOf(signal: Signal, units: Units): string | null {
  if (units === 'metric') return signal.visualizationUnitsMetric
  if (units === 'us') return signal.visualizationUnitsUS ?? signal.units?.usCustomaryConvert ?? null
  return null
}
