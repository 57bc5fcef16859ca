import type { PrimitiveType } from '../types.ts'
import { dataTypes } from './data-types.ts'
import type { DataType, Unit } from './unit.ts'

/** A signal's type and unit, as far as they are given. */
type Measured = { readonly dataType: string | null; readonly dataUnit: string | null }

const types: ReadonlyMap<string, DataType> = new Map(
  dataTypes.flatMap((type) => [type.id, ...type.aliases].map((name) => [name, type] as const)),
)

const significantDigits = 14
const shiftedDecimals = 10

/** Returns the data type of a name or an alias. */
export function findDataType(name: string): DataType | undefined {
  return types.get(name)
}

/** The primitive type of a data type's values, if known. */
export function findPrimitiveType(dataType: string): PrimitiveType | undefined {
  return types.get(dataType)?.primitiveType
}

/** Returns the unit of a data type by its name or an alias. */
export function findUnit(type: DataType, name: string): Unit | undefined {
  return type.units.find(({ id, aliases }) => id === name || aliases.includes(name))
}

/** Compares names of data types; an alias is the type that it stands for. */
export function isSameType(a: string, b: string): boolean {
  return a === b || (types.has(a) && types.get(a) === types.get(b))
}

/** Compares names of units; of a known type an alias is the unit that it stands for. */
export function isSameUnit(dataType: string | null, a: string, b: string): boolean {
  if (a === b) return true
  const known = dataType === null ? undefined : types.get(dataType)
  return (known === undefined ? dataTypes : [known]).some((type) => {
    const unit = findUnit(type, a)
    return unit !== undefined && unit === findUnit(type, b)
  })
}

/**
 * Returns the conversion between two units of one type. Without a data type it is the first one
 * that has both. Undefined if there is none.
 */
export function findConversion(
  from: Measured & { readonly dataUnit: string },
  to: string,
): ((value: number) => number) | undefined {
  const known = from.dataType === null ? undefined : types.get(from.dataType)
  for (const type of known === undefined ? dataTypes : [known]) {
    const [source, target] = [findUnit(type, from.dataUnit), findUnit(type, to)]
    if (source === undefined || target === undefined) continue
    if (source === target) return (value) => value
    if (source.kind !== target.kind) continue
    if (source.factor !== null && target.factor !== null) return convertBetween(source, target)
  }
  return undefined
}

/** The last digits of a double are the noise of the arithmetic. */
function convertBetween(source: Unit, target: Unit): (value: number) => number {
  const ratio = (source.factor ?? 1) / (target.factor ?? 1)
  return (value) => {
    const converted = (value + source.shift) * ratio - target.shift
    if (!Number.isFinite(converted)) return converted
    // A difference of two temperatures has the noise of both, however small it is.
    return target.shift === 0 || Math.abs(converted) > 1e9
      ? Number(converted.toPrecision(significantDigits))
      : Number(converted.toFixed(shiftedDecimals))
  }
}
