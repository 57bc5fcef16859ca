import { type DataType, dataTypes, type Unit } from '../../assets/index.ts'
import type { Resolvers } from '../generated/resolvers.ts'

export const dataTypeResolvers = {
  Query: {
    dataTypes(_, __, context) {
      context.work.countRows(dataTypes.length)
      return dataTypes
    },
  },

  DataType: {
    primitive_type: ({ primitiveType }) => primitiveType,
    units: (type) => type.units.map((unit) => ({ type, unit })),
    convertable: ({ units }) => units.filter(isConverted).length > 1,
    conversions: (type) => type.units.filter(isConverted).map((unit) => conversionOf(type, unit)),
  },

  Unit: {
    id: ({ unit }) => unit.id,
    name: ({ unit }) => nameOf(unit),
    abbreviation: ({ unit }) => unit.abbreviation,
    abbr: ({ unit }) => unit.abbreviation,
    factor: ({ unit }) => unit.factor,
    shift: ({ unit }) => unit.shift,
    kind: ({ unit }) => unit.kind,
    aliases: ({ unit }) => unit.aliases,
    channelDataUnit: ({ unit }) => unit.id,
    convert: ({ type, unit }) => (isConverted(unit) ? (sharedUnit(type, unit)?.id ?? null) : null),
    siConvert: () => null,
    usCustomaryConvert: () => null,
    nonCompliant: ({ type }) => type === undefined,
  },
} satisfies Resolvers

function isConverted({ factor }: Unit): boolean {
  return factor !== null
}

/** The unit with which its kind's others are compared: a value in it stays as it is. */
function sharedUnit(type: DataType | undefined, { kind }: Unit): Unit | undefined {
  return type?.units.find((unit) => unit.kind === kind && unit.factor === 1 && unit.shift === 0)
}

function conversionOf(type: DataType, unit: Unit) {
  const multiplier = unit.factor ?? 1
  const shared = sharedUnit(type, unit)?.id ?? unit.id
  return {
    id: unit.id,
    name: nameOf(unit),
    unit: shared,
    multiplier,
    offset: unit.shift * multiplier,
  }
}

/** DEG_CELSIUS is Deg Celsius. */
function nameOf({ id }: Unit): string {
  return id
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join(' ')
}
