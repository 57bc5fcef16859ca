import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { PreferredUnits } from '../../api/people/own-account.ts'
import { listUnits, type Signal, type UnitType } from '../../api/signals.ts'
import { useSignedIn } from '../session.tsx'
import { shownUnit, shownValue } from '../words.ts'
import { usePreferredUnits } from './preferences.ts'

/** `own`: those of the signals. */
export type Units = PreferredUnits | 'own'

/** The unit in which the values of a signal are shown. */
export type ShownUnit = {
  /** Null: the signal's own. */
  readonly id: string | null
  /** For people; empty for none. */
  readonly sign: string
  /** Returns a value of the signal in this unit. */
  readonly convert: (value: number) => number
}

/** The facts that decide the unit of a signal. */
type Measured = Pick<
  Signal,
  'type' | 'units' | 'dataUnit' | 'visualizationUnitsMetric' | 'visualizationUnitsUS'
>

export type UnitOf = (signal: Measured) => ShownUnit

/** The same for each page, and for as long as it is open. */
const never = Number.POSITIVE_INFINITY

/**
 * Returns the unit of each signal: that of the choice, else what the person prefers for the type of
 * its data, else its own. Undefined until all that decides it is read: no value is shown in a unit
 * that changes a moment later.
 */
export function useUnitFor(choice?: Units): UnitOf | undefined {
  const { client } = useSignedIn()
  const preferred = usePreferredUnits()
  const isConverted =
    choice === undefined ? Object.keys(preferred ?? {}).length > 0 : choice !== 'own'
  const { data, error } = useQuery({
    queryKey: ['units'],
    queryFn: ({ signal }) => listUnits(client, signal),
    enabled: isConverted,
    staleTime: never,
  })
  const types = data ?? (isConverted && error === null ? undefined : none)
  return useMemo(() => {
    if (preferred === undefined || types === undefined) return undefined
    return (signal) => resolveUnit(signal, chooseUnits(signal, choice, preferred), types)
  }, [choice, preferred, types])
}

const none: readonly UnitType[] = []

/** Returns the chosen units, else those that the person prefers for the type of the signal. */
export function chooseUnits(
  { type }: Pick<Signal, 'type'>,
  choice: Units | undefined,
  preferred: Readonly<Record<string, PreferredUnits>>,
): Units {
  return choice ?? (type === null ? undefined : preferred[type.id]) ?? 'own'
}

function resolveUnit(signal: Measured, units: Units, types: readonly UnitType[]): ShownUnit {
  const { type, dataUnit, units: own } = signal
  const wanted = wantedUnit(signal, units)
  const known = types.find(({ id }) => id === type?.id)?.units ?? []
  const from = known.find(({ id }) => id === own?.id)
  const to = known.find(({ id, aliases }) => id === wanted || aliases.includes(wanted ?? ''))
  const isOne = from === to || from?.factor == null || to?.factor == null || from.kind !== to.kind
  if (isOne) return { id: null, sign: shownUnit(dataUnit), convert: (value) => value }
  const scale = from.factor / to.factor
  return {
    id: to.id,
    sign: shownUnit(to.id),
    convert: (value) => (value + from.shift) * scale - to.shift,
  }
}

/** The unit that people or the catalogue have for the units. */
function wantedUnit(signal: Measured, units: Units): string | null {
  if (units === 'metric') return signal.visualizationUnitsMetric
  if (units === 'us') return signal.visualizationUnitsUS ?? signal.units?.usCustomaryConvert ?? null
  return null
}

/** A value of a signal for people, and the sign of its unit; the sign is empty for no number. */
export function reading(
  value: unknown,
  signal: Measured & Pick<Signal, 'precision'>,
  unit: ShownUnit,
): { readonly text: string; readonly sign: string } {
  if (typeof value !== 'number') return { text: shownValue(value, signal.precision), sign: '' }
  return { text: shownValue(unit.convert(value), signal.precision), sign: unit.sign }
}
