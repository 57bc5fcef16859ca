import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  dataTypes,
  findConversion,
  findPrimitiveType,
  isSameType,
  isSameUnit,
} from '../../../../src/insight/assets/index.ts'
import { graphqlFixture } from '../../../fixtures/wire/graphql.ts'

/** The data types of the field. */
const names = `STRING JSON NUMBER BOOLEAN ACCELERATION AMOUNT ANGULAR_ACCEL ANGULAR_VEL AREA
  BATTERY_PERCENTAGE CAPACITANCE CURRENCY DATA DENSITY DISPLACEMENT DYNAMIC_VISCOSITY
  KINEMATIC_VISCOSITY ELEC_CURRENT ELEC_CONDUCTANCE ELEC_POTENTIAL ELEC_RESISTANCE ELEC_RESISTIVITY
  ENERGY FIELD_LEVEL FLOW FLOW_MASS FORCE FREQUENCY LOCATION HEAT HUMIDITY ILLUMINANCE INDUCTANCE
  JERK LENGTH LINEAR_DENSITY LUMINANCE LUMINOUS_FLUX LUMINOUS_INTENSITY MASS PARTICLES PERCENTAGE PH
  ANGLE POWER POWER_LEVEL PRESSURE SIGNAL_STRENGTH_PERCENTAGE SOLID_ANGLE SPEED TEMPERATURE TIME
  TORQUE URL VELOCITY VOLUME WEIGHT WORK`.split(/\s+/)

const byId = new Map(dataTypes.map((type) => [type.id, type]))

test('the catalogue has the 58 data types of the field', () => {
  assert.equal(names.length, 58)
  assert.deepEqual([...byId.keys()].sort(), names.toSorted())
})

test('a name stands for one data type, and a unit for one of its type', () => {
  const all = dataTypes.flatMap(({ id, aliases }) => [id, ...aliases])
  assert.equal(new Set(all).size, all.length)
  for (const { id, units } of dataTypes) {
    const named = units.flatMap((unit) => [unit.id, ...unit.aliases])
    assert.equal(new Set(named).size, named.length, id)
  }
})

test('a data type implies the primitive type', () => {
  const others = {
    STRING: 'STRING',
    JSON: 'JSON',
    BOOLEAN: 'BOOLEAN',
    LOCATION: 'JSON',
    URL: 'JSON',
  }
  const known = new Map<string, string>(Object.entries(others))
  for (const name of names)
    assert.equal(findPrimitiveType(name), known.get(name) ?? 'NUMERIC', name)
  assert.equal(findPrimitiveType('KARMA'), undefined)
})

test('names that Millrace had before, and those of some programs, are read as aliases', () => {
  const types = [
    ['DURATION', 'TIME'],
    ['CONCENTRATION', 'PARTICLES'],
    ['PARTS_PER', 'PARTICLES'],
    ['SOUND_LEVEL', 'FIELD_LEVEL'],
    ['COUNT', 'NUMBER'],
    ['SIGNAL_STRENGTH', 'POWER_LEVEL'],
  ]
  for (const [alias = '', name = ''] of types) assert(isSameType(alias, name), alias)
  assert(!isSameType('TIME', 'NUMBER') && !isSameType('KARMA', 'LUCK') && isSameType('X', 'X'))
  const units = [
    ['ACCELERATION', 'METERS_PER_SEC2', 'METER_PER_SEC2'],
    ['ELEC_CURRENT', 'MILLIAMPERE', 'MILLIAMP'],
    ['PRESSURE', 'MILLIBAR', 'MBAR'],
    ['SPEED', 'KILOMETER_PER_HOUR', 'KPH'],
    [null, 'DEG_KELVIN', 'KELVIN'],
  ] as const
  for (const [type, alias, name] of units) assert(isSameUnit(type, alias, name), alias)
  assert(!isSameUnit('TEMPERATURE', 'KELVIN', 'DEG_CELSIUS'))
  assert(!isSameUnit('TEMPERATURE', 'REAUMUR', 'REAUMUR2') && isSameUnit('KARMA', 'X', 'X'))
})

const conversions: readonly (readonly [string, number, string, number, string])[] = [
  ['TEMPERATURE', 0, 'DEG_CELSIUS', 32, 'DEG_FAHRENHEIT'],
  ['TEMPERATURE', 78.8, 'DEG_FAHRENHEIT', 26, 'DEG_CELSIUS'],
  ['TEMPERATURE', -40, 'DEG_CELSIUS', -40, 'DEG_FAHRENHEIT'],
  ['TEMPERATURE', 32, 'DEG_FAHRENHEIT', 491.67, 'RANKINE'],
  ['TEMPERATURE', -273.15, 'DEG_CELSIUS', 0, 'KELVIN'],
  ['LENGTH', 1, 'MILES', 1609.344, 'METERS'],
  ['LENGTH', 12, 'INCH', 1, 'FEET'],
  ['DISPLACEMENT', 1, 'MICRONS', 0.001, 'MILLIMETERS'],
  ['AREA', 1, 'ACRE', 43_560, 'FEET2'],
  ['VOLUME', 1, 'GALLON', 231, 'INCH3'],
  ['VOLUME', 1, 'GALLON', 128, 'FLUID_OZ'],
  ['VOLUME', 1, 'IMPERIAL_GALLONS', 4.54609, 'LITRE'],
  ['MASS', 1, 'TON', 907.18474, 'KILOGRAM'],
  ['MASS', 16, 'OZ', 1, 'POUND'],
  ['WEIGHT', 1, 'METRIC_TON', 9806.65, 'NEWTON'],
  ['SPEED', 36, 'KPH', 10, 'METER_PER_SEC'],
  ['SPEED', 1, 'KNOTS', 1.852, 'KPH'],
  ['VELOCITY', 1, 'INCH_PER_SEC', 25.4, 'MILLMETERS_PER_SEC'],
  ['PRESSURE', 1, 'ATMOSPHERE', 1013.25, 'MBAR'],
  ['PRESSURE', 760, 'TORR', 1, 'ATMOSPHERE'],
  ['ANGLE', 180, 'DEGREE', Math.PI, 'RADIAN'],
  ['ANGULAR_VEL', 60, 'ROTATIONS_PER_MIN', 360, 'DEG_PER_SEC'],
  ['TIME', 1, 'DAY', 86_400, 'SECONDS'],
  ['DATA', 1, 'GIGABYTE', 1000, 'MEGABYTE'],
  ['FLOW', 60, 'LITERS_PER_MIN', 3.6, 'METERS3_PER_HOUR'],
  ['FLOW', 60, 'SLPM', 1, 'LITERS_PER_SEC'],
  ['HEAT', 1, 'KILOCALORIE', 4184, 'JOULE'],
  ['ENERGY', 1, 'KILOWATT_HOUR', 3_600_000, 'JOULE'],
  ['TORQUE', 12, 'INCH_POUNDS', 1, 'FOOT_POUNDS'],
  ['KINEMATIC_VISCOSITY', 100, 'CENTISTOKES', 1, 'STOKES'],
  ['PARTICLES', 1, 'PPM', 1000, 'PPB'],
  ['POWER', 1, 'KILOVOLTAMPS', 1000, 'VOLTAMPS'],
]

test('a unit is converted into another one of its type', () => {
  for (const [dataType, value, dataUnit, expected, to] of conversions) {
    const made = findConversion({ dataType, dataUnit }, to)?.(value) ?? Number.NaN
    const near = Math.abs(made - expected) <= 1e-12 * Math.max(1, Math.abs(expected))
    assert(near, `${value} ${dataUnit} = ${made} ${to}, not ${expected}`)
    const back = findConversion({ dataType, dataUnit: to }, dataUnit)?.(made) ?? Number.NaN
    assert(Math.abs(back - value) <= 1e-9 * Math.max(1, Math.abs(value)), `${to} to ${dataUnit}`)
    assert(findConversion({ dataType: null, dataUnit }, to), `${dataUnit} of no type`)
  }
})

test('what is no other unit of the same quantity is not converted', () => {
  const none = [
    ['TEMPERATURE', 'DEG_CELSIUS', 'METERS'],
    ['TEMPERATURE', 'REAUMUR', 'KELVIN'],
    ['CURRENCY', 'EUR', 'USD'],
    ['FLOW', 'PERCENT', 'LITERS_PER_SEC'],
    ['POWER', 'VOLTAMPS', 'WATT'],
    ['POWER', 'VOLTAMPS_REACTIVE', 'VOLTAMPS'],
    [null, 'METERS', 'SECONDS'],
  ] as const
  for (const [dataType, dataUnit, to] of none) {
    assert.equal(findConversion({ dataType, dataUnit }, to), undefined, `${dataUnit} to ${to}`)
  }
  assert.equal(findConversion({ dataType: 'CURRENCY', dataUnit: 'EUR' }, 'EUR')?.(7), 7)
})

test('GraphQL offers the catalogue', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  const document =
    '{ dataTypes { id name primitiveType aliases units { id abbreviation factor shift kind } } }'
  const { data, errors } = await as(viewer, document)
  assert.equal(errors, undefined)
  const offered = (data as { dataTypes: { id: string; units: object[] }[] }).dataTypes
  assert.deepEqual(
    offered.map(({ id, units }) => [id, units.length]),
    dataTypes.map(({ id, units }) => [id, units.length]),
  )
  const temperature = offered.find(({ id }) => id === 'TEMPERATURE')
  assert.deepEqual(temperature?.units[1], {
    id: 'DEG_CELSIUS',
    abbreviation: '°C',
    factor: 1,
    shift: 273.15,
    kind: '',
  })
})

test('GraphQL names the unit of the SI, and that of the United States, of each unit', async (t) => {
  const { as, viewer } = await graphqlFixture(t)
  type Shown = { id: string; siConvert: string | null; usCustomaryConvert: string | null }
  const document = '{ dataTypes { id units { id siConvert usCustomaryConvert } } }'
  const { data } = await as(viewer, document)
  const types = (data as { dataTypes: { id: string; units: Shown[] }[] }).dataTypes
  const shown = (type: string, unit: string) => {
    const units = types.find(({ id }) => id === type)?.units
    const { siConvert, usCustomaryConvert } = units?.find(({ id }) => id === unit) ?? {}
    return [siConvert, usCustomaryConvert]
  }
  const expected = [
    ['TEMPERATURE', 'DEG_CELSIUS', 'KELVIN', 'DEG_FAHRENHEIT'],
    ['TEMPERATURE', 'RANKINE', 'KELVIN', 'RANKINE'],
    ['LENGTH', 'CENTIMETERS', 'METERS', 'INCH'],
    ['LENGTH', 'METERS', 'METERS', 'YARD'],
    ['LENGTH', 'KILOMETERS', 'METERS', 'MILES'],
    ['PRESSURE', 'BAR', 'PASCAL', 'PSI'],
    ['SPEED', 'KPH', 'METER_PER_SEC', 'FEET_PER_SEC'],
    ['VOLUME', 'LITRE', 'METER3', 'QUARTS'],
    ['ELEC_POTENTIAL', 'KILOVOLT', 'VOLT', null],
    ['HUMIDITY', 'PERCENT', null, null],
    ['CURRENCY', 'EUR', null, null],
    ['POWER', 'KILOVOLTAMPS', 'VOLTAMPS', null],
    ['POWER', 'KILOWATT', 'WATT', 'HORSEPOWER'],
  ] as const
  for (const [type, unit, ...names] of expected) {
    assert.deepEqual(shown(type, unit), names, `${type} ${unit}`)
  }
  for (const { units } of types) {
    const ids = new Set([...units.map(({ id }) => id), null])
    for (const { id, siConvert, usCustomaryConvert } of units) {
      assert.ok(ids.has(siConvert) && ids.has(usCustomaryConvert), id)
    }
  }
})
