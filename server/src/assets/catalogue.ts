import type { PrimitiveType } from './types.ts'

type DataType = { readonly primitiveType: PrimitiveType; readonly units: readonly string[] }

function numbers(...units: string[]): DataType {
  return { primitiveType: 'NUMERIC', units }
}

/** The data types of Millrace, with the units in which each is measured. */
const dataTypes: ReadonlyMap<string, DataType> = new Map([
  ['ACCELERATION', numbers('METERS_PER_SEC2', 'STANDARD_GRAVITY')],
  ['ANGLE', numbers('DEGREE', 'RADIAN')],
  ['AREA', numbers('SQUARE_METER', 'SQUARE_FOOT', 'HECTARE')],
  ['BATTERY_PERCENTAGE', numbers('PERCENT')],
  ['BOOLEAN', { primitiveType: 'BOOLEAN', units: [] }],
  ['CONCENTRATION', numbers('PARTS_PER_MILLION', 'PARTS_PER_BILLION', 'MICROGRAM_PER_M3')],
  ['COUNT', numbers('COUNT')],
  ['DENSITY', numbers('KILOGRAM_PER_M3')],
  ['DURATION', numbers('MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR', 'DAY')],
  ['ELEC_CURRENT', numbers('AMPERE', 'MILLIAMPERE', 'MICROAMPERE')],
  ['ELEC_POTENTIAL', numbers('VOLT', 'MILLIVOLT', 'KILOVOLT')],
  ['ELEC_RESISTANCE', numbers('OHM', 'KILOOHM', 'MEGAOHM')],
  ['ENERGY', numbers('JOULE', 'KILOJOULE', 'WATT_HOUR', 'KILOWATT_HOUR', 'BTU')],
  ['FLOW', numbers('LITER_PER_MIN', 'LITER_PER_HOUR', 'CUBIC_METER_PER_HOUR', 'GALLON_PER_MIN')],
  ['FORCE', numbers('NEWTON', 'KILONEWTON', 'POUND_FORCE')],
  ['FREQUENCY', numbers('HERTZ', 'KILOHERTZ', 'MEGAHERTZ', 'REV_PER_MIN')],
  ['HUMIDITY', numbers('PERCENT', 'RELATIVE_HUMIDITY')],
  ['ILLUMINANCE', numbers('LUX')],
  ['JSON', { primitiveType: 'JSON', units: [] }],
  ['LENGTH', numbers('MILLIMETER', 'CENTIMETER', 'METER', 'KILOMETER', 'INCH', 'FOOT', 'MILE')],
  ['LOCATION', { primitiveType: 'JSON', units: ['LAT_LONG', 'LAT_LONG_ALT'] }],
  ['MASS', numbers('GRAM', 'KILOGRAM', 'METRIC_TON', 'POUND', 'OUNCE')],
  ['NUMBER', numbers()],
  ['PERCENTAGE', numbers('PERCENT')],
  ['POWER', numbers('WATT', 'KILOWATT', 'MEGAWATT', 'HORSEPOWER')],
  ['PRESSURE', numbers('PASCAL', 'KILOPASCAL', 'MEGAPASCAL', 'MILLIBAR', 'BAR', 'PSI', 'ATM')],
  ['SIGNAL_STRENGTH', numbers('DECIBEL', 'DECIBEL_MILLIWATT')],
  ['SOUND_LEVEL', numbers('DECIBEL')],
  ['STRING', { primitiveType: 'STRING', units: [] }],
  ['TEMPERATURE', numbers('DEG_CELSIUS', 'DEG_FAHRENHEIT', 'KELVIN')],
  ['TORQUE', numbers('NEWTON_METER', 'FOOT_POUND')],
  ['VELOCITY', numbers('METERS_PER_SEC', 'KM_PER_HOUR', 'MILES_PER_HOUR', 'KNOT')],
  ['VOLUME', numbers('MILLILITER', 'LITER', 'CUBIC_METER', 'GALLON')],
])

/** The units of a data type; none for one that is not known. */
export function catalogueUnits(dataType: string): readonly string[] {
  return dataTypes.get(dataType)?.units ?? []
}

/** The primitive type of a data type's values, if known. */
export function primitiveTypeOf(dataType: string): PrimitiveType | undefined {
  return dataTypes.get(dataType)?.primitiveType
}
