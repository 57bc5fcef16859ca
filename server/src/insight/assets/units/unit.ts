import type { PrimitiveType } from '../types.ts'

/** A unit of measure. A value in it is `(value + shift) * factor` in the type's first unit. */
export type Unit = {
  readonly id: string
  readonly abbreviation: string
  /** Null: it is not converted. */
  readonly factor: number | null
  readonly shift: number
  /** Units are converted within a kind only; most types have one, ''. */
  readonly kind: string
  /** Other names under which it is read. */
  readonly aliases: readonly string[]
}

export type DataType = {
  readonly id: string
  readonly name: string
  readonly primitiveType: PrimitiveType
  readonly units: readonly Unit[]
  /** Other names under which it is read. */
  readonly aliases: readonly string[]
}

/** The parts of a unit beside its factor. */
export type UnitOptions = Partial<Pick<Unit, 'shift' | 'kind' | 'aliases'>>

export function unit(
  id: string,
  abbreviation: string,
  factor: number | null = 1,
  { shift = 0, kind = '', aliases = [] }: UnitOptions = {},
): Unit {
  return { id, abbreviation, factor, shift, kind, aliases }
}

export function plain(
  id: string,
  name: string,
  primitiveType: PrimitiveType,
  aliases: readonly string[] = [],
): DataType {
  return { id, name, primitiveType, units: [], aliases }
}

export function measure(
  id: string,
  name: string,
  units: readonly Unit[],
  aliases: readonly string[] = [],
): DataType {
  return { id, name, primitiveType: 'NUMERIC', units, aliases }
}

/** Other names of a unit. */
export const also = (...aliases: string[]): UnitOptions => ({ aliases })
