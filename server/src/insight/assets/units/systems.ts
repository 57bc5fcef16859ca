import type { DataType, Unit } from './unit.ts'

/** Units that are customary in the United States. */
const customary: ReadonlySet<string> = new Set([
  'FEET',
  'INCH',
  'YARD',
  'MILES',
  'FEET2',
  'INCH2',
  'MILE2',
  'ACRE',
  'FEET3',
  'INCH3',
  'GALLON',
  'QUARTS',
  'PINT',
  'FLUID_OZ',
  'POUND',
  'OZ',
  'OUNCE',
  'TON',
  'SLUG',
  'DRAM',
  'POUNDMASS',
  'LBS_PER_SEC',
  'POUND_FORCE',
  'FOOT_POUND',
  'FOOT_POUNDS',
  'INCH_POUNDS',
  'PSI',
  'IN_H2O',
  'DEG_FAHRENHEIT',
  'RANKINE',
  'MPH',
  'IN_PER_SEC',
  'INCH_PER_SEC',
  'FEET_PER_SEC',
  'FEET_PER_SEC2',
  'IN_PER_SEC2',
  'GALLONS_PER_SEC',
  'GALLONS_PER_MIN',
  'GALLONS_PER_HOUR',
  'SCFM',
  'SCFH',
  'BTU',
  'HORSEPOWER',
  'FOOT_CANDLES',
])

/** Units of which a value stays as it is, and which are of no system. */
const systemless: ReadonlySet<string> = new Set(['PERCENT', 'DECIBEL', 'PH', 'BYTE'])

/** The unit of its kind that the SI has, of which all others are multiples; if there is one. */
export function findSiUnit(type: DataType | undefined, of: Unit): Unit | undefined {
  const shared = findSharedUnit(type, of)
  return shared === undefined || systemless.has(shared.id) ? undefined : shared
}

/** The unit with which its kind's others are compared: a value in it stays as it is. */
export function findSharedUnit(
  type: DataType | undefined,
  { factor, kind }: Unit,
): Unit | undefined {
  if (factor === null) return undefined
  return type?.units.find((unit) => unit.kind === kind && unit.factor === 1 && unit.shift === 0)
}

/**
 * The customary unit of the United States of its kind: itself, or the one that is nearest to it in
 * size, the first of several.
 */
export function findCustomaryUnit(type: DataType | undefined, of: Unit): Unit | undefined {
  const { factor, kind } = of
  if (type === undefined || factor === null) return undefined
  const candidates = type.units.filter((unit) => unit.kind === kind && customary.has(unit.id))
  const away = (unit: Unit) => Math.abs(Math.log((unit.factor ?? factor) / factor))
  const [nearest] = candidates.toSorted((one, other) => away(one) - away(other))
  return customary.has(of.id) ? of : nearest
}
