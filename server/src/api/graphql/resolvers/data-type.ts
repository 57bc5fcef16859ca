import {
  type DataType,
  dataTypes,
  findCustomaryUnit,
  findSharedUnit,
  findSiUnit,
  type Unit,
} from '../../../insight/assets/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'

export const dataTypeResolvers = {
  Query: {
    dataTypes() {
      return dataTypes
    },
  },

  DataType: {
    primitive_type: ({ primitiveType }) => primitiveType,
    units: (type) => type.units.map((unit) => ({ type, unit })),
    convertable: ({ units }) => units.filter(isConverted).length > 1,
    conversions: (type) => type.units.filter(isConverted).map((unit) => toConversion(type, unit)),
  },

  Unit: {
    id: ({ unit }) => unit.id,
    name: ({ unit }) => formatUnitName(unit),
    abbreviation: ({ unit }) => unit.abbreviation,
    abbr: ({ unit }) => unit.abbreviation,
    factor: ({ unit }) => unit.factor,
    shift: ({ unit }) => unit.shift,
    kind: ({ unit }) => unit.kind,
    aliases: ({ unit }) => unit.aliases,
    channelDataUnit: ({ unit }) => unit.id,
    convert: ({ type, unit }) => findSharedUnit(type, unit)?.id ?? null,
    siConvert: ({ type, unit }) => findSiUnit(type, unit)?.id ?? null,
    usCustomaryConvert: ({ type, unit }) => findCustomaryUnit(type, unit)?.id ?? null,
    nonCompliant: ({ type }) => type === undefined,
  },
} satisfies Resolvers

function isConverted({ factor }: Unit): boolean {
  return factor !== null
}

function toConversion(type: DataType, unit: Unit) {
  const multiplier = unit.factor ?? 1
  const shared = findSharedUnit(type, unit)?.id ?? unit.id
  return {
    id: unit.id,
    name: formatUnitName(unit),
    unit: shared,
    multiplier,
    offset: unit.shift * multiplier,
  }
}

/** DEG_CELSIUS is Deg Celsius. */
function formatUnitName({ id }: Unit): string {
  return id
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join(' ')
}
