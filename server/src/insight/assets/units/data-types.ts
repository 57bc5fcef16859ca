import { also, type DataType, measure, plain, unit } from './unit.ts'

const percent = unit('PERCENT', '%')

const footM = 0.3048
const inchM = 0.0254
const mileM = 1609.344
const poundKg = 0.45359237
const gravity = 9.80665
const poundForceN = poundKg * gravity
const gallonM3 = 0.003785411784
const imperialGallonM3 = 0.00454609
const minuteS = 60
const hourS = 3600
const dayS = 24 * hourS
const atmospherePa = 101_325
const degree = Math.PI / 180
const turn = 2 * Math.PI

/** Lengths and displacements have the same units. */
const lengths = [
  unit('METERS', 'm', 1, also('METER')),
  unit('CENTIMETERS', 'cm', 0.01, also('CENTIMETER')),
  unit('KILOMETERS', 'km', 1000, also('KILOMETER')),
  unit('MILLIMETERS', 'mm', 0.001, also('MILLIMETER')),
  unit('MICRONS', 'µm', 1e-6, also('MICROMETERS')),
  unit('FEET', 'ft', footM, also('FOOT')),
  unit('INCH', 'in', inchM),
  unit('YARD', 'yd', 3 * footM),
  unit('MILES', 'mi', mileM, also('MILE')),
]

/** Codes of ISO 4217 and former ones; what one is worth in another changes by the minute. */
const currencies = `AFN ALL DZD USD EUR AOA XCD ARS AMD AWG AUD AZN BSD BHD BDT BBD BYR BZD XOF BMD
  BTN INR BOB BOV BAM BWP NOK BRL BND BGN BIF CVE KHR XAF CAD KYD CLF CLP CNY COP COU KMF CDF NZD
  CRC HRK CUC CUP ANG CZK DKK DJF DOP EGP SVC ERN ETB FKP FJD XPF GMD GEL GHS GIP GTQ GBP GNF GYD
  HTG HNL HKD HUF ISK IDR XDR IRR IQD ILS JMD JPY JOD KZT KES KPW KRW KWD KGS LAK LBP LSL ZAR LRD
  LYD CHF MOP MKD MGA MWK MYR MVR MRU MUR XUA MXN MXV MDL MNT MAD MZN MMK NAD NPR NIO NGN OMR PKR
  PAB PGK PYG PEN PHP PLN QAR RON RUB RWF SHP WST STN SAR RSD SCR SLL SGD XSU SBD SOS SSP LKR SDG
  SRD SZL SEK CHE CHW SYP TWD TJS TZS THB TOP TTD TND TRY TMT UGX UAH AED USN UYI UYU UZS VUV VEF
  VND YER ZMW ZWL`.split(/\s+/)

/**
 * The data types and units of the field, by its names, with what each unit is in the first one of
 * its type (SI where the field has that). Names that Millrace had before, and names that only some
 * programs send, are aliases. Units that the field has not, such as KILOWATT_HOUR, come last.
 */
export const dataTypes: readonly DataType[] = [
  plain('STRING', 'String', 'STRING'),
  plain('JSON', 'JSON', 'JSON'),
  plain('NUMBER', 'Number', 'NUMERIC', ['COUNT']),
  plain('BOOLEAN', 'Boolean', 'BOOLEAN'),
  measure('ACCELERATION', 'Acceleration', [
    unit('METER_PER_SEC2', 'm/s²', 1, also('METERS_PER_SEC2')),
    unit('STANDARD_GRAVITY', 'g₀', gravity),
    unit('FEET_PER_SEC2', 'ft/s²', footM),
    unit('IN_PER_SEC2', 'in/s²', inchM, also('INCH_PER_SEC2')),
  ]),
  measure('AMOUNT', 'Amount of substance', [unit('MOLE', 'mol')]),
  measure('ANGULAR_ACCEL', 'Angular acceleration', [
    unit('RAD_PER_SEC2', 'rad/s²'),
    unit('ROTATIONS_PER_MIN2', 'r/min²', turn / minuteS ** 2),
    unit('DEG_PER_SEC2', 'deg/s²', degree),
  ]),
  measure('ANGULAR_VEL', 'Angular velocity', [
    unit('RAD_PER_SEC', 'rad/s'),
    unit('RAD_PER_MIN', 'rad/min', 1 / minuteS),
    unit('RAD_PER_HOUR', 'rad/h', 1 / hourS),
    unit('ROTATIONS_PER_MIN', 'rpm', turn / minuteS, also('REV_PER_MIN')),
    unit('DEG_PER_SEC', 'deg/s', degree),
    unit('DEG_PER_MIN', 'deg/min', degree / minuteS),
    unit('DEG_PER_HOUR', 'deg/h', degree / hourS),
  ]),
  measure('AREA', 'Area', [
    unit('METER2', 'm²', 1, also('SQUARE_METER')),
    unit('KILOMETER2', 'km²', 1e6),
    unit('MM2', 'mm²', 1e-6, also('MILLIMETER2')),
    unit('FEET2', 'ft²', footM ** 2, also('SQUARE_FOOT')),
    unit('INCH2', 'in²', inchM ** 2),
    unit('MILE2', 'mi²', mileM ** 2),
    unit('ACRE', 'ac', mileM ** 2 / 640),
    unit('CENTIMETER2', 'cm²', 1e-4),
    unit('HECTARE', 'ha', 1e4),
  ]),
  measure('BATTERY_PERCENTAGE', 'Battery', [percent]),
  measure('CAPACITANCE', 'Capacitance', [
    unit('FARAD', 'F'),
    unit('MILLIFARAD', 'mF', 1e-3),
    unit('MICROFARAD', 'µF', 1e-6),
    unit('NANOFARAD', 'nF', 1e-9),
    unit('PICOFARAD', 'pF', 1e-12),
  ]),
  measure(
    'CURRENCY',
    'Currency',
    currencies.map((code) => unit(code, code, null)),
  ),
  measure('DATA', 'Data', [
    unit('BYTE', 'B'),
    unit('KILOBYTE', 'KB', 1e3),
    unit('MEGABYTE', 'MB', 1e6),
    unit('GIGABYTE', 'GB', 1e9),
    unit('TERABYTE', 'TB', 1e12),
  ]),
  measure('DENSITY', 'Density', [unit('KG_PER_M3', 'kg/m³', 1, also('KILOGRAM_PER_M3'))]),
  measure('DISPLACEMENT', 'Displacement', lengths),
  measure('DYNAMIC_VISCOSITY', 'Dynamic viscosity', [
    unit('PASCAL_SEC', 'Pa·s'),
    unit('MILLIPASCAL_SEC', 'mPa·s', 1e-3),
    unit('POISE', 'P', 0.1),
  ]),
  measure('KINEMATIC_VISCOSITY', 'Kinematic viscosity', [
    unit('CENTISTOKES', 'cSt', 1e-6),
    unit('STOKES', 'St', 1e-4),
    unit('METERS2_PER_SEC', 'm²/s'),
  ]),
  measure('ELEC_CURRENT', 'Electric current', [
    unit('AMPERE', 'A', 1, also('AMP')),
    unit('MILLIAMP', 'mA', 1e-3, also('MILLIAMPERE')),
    unit('MICROAMP', 'µA', 1e-6, also('MICROAMPERE')),
    unit('KILOAMP', 'kA', 1e3, also('KILOAMPERE')),
  ]),
  measure('ELEC_CONDUCTANCE', 'Electrical conductance', [unit('SIEMENS', 'S')]),
  measure('ELEC_POTENTIAL', 'Electrical potential', [
    unit('VOLT', 'V'),
    unit('MILLIVOLT', 'mV', 1e-3),
    unit('MICROVOLT', 'µV', 1e-6),
    unit('KILOVOLT', 'kV', 1e3),
    unit('MEGAVOLT', 'MV', 1e6),
  ]),
  measure('ELEC_RESISTANCE', 'Electrical resistance', [
    unit('OHM', 'Ω'),
    unit('MILLIOHM', 'mΩ', 1e-3),
    unit('MICROOHM', 'µΩ', 1e-6),
    unit('KILOOHM', 'kΩ', 1e3),
    unit('MEGAOHM', 'MΩ', 1e6),
  ]),
  measure('ELEC_RESISTIVITY', 'Electrical resistivity', [unit('OHM_METER', 'Ω⋅m')]),
  measure('ENERGY', 'Energy', [
    unit('JOULE', 'J'),
    unit('KILOJOULE', 'kJ', 1e3),
    unit('WATT_HOUR', 'Wh', hourS),
    unit('KILOWATT_HOUR', 'kWh', 1e3 * hourS),
    unit('BTU', 'Btu', 1055.05585262),
  ]),
  measure('FIELD_LEVEL', 'Field level', [unit('DECIBEL', 'dB')], ['SOUND_LEVEL']),
  measure('FLOW', 'Flow by volume', [
    unit('METERS3_PER_SEC', 'm³/s'),
    unit('METERS3_PER_HOUR', 'm³/h', 1 / hourS, also('CUBIC_METER_PER_HOUR')),
    unit('PERCENT', '%', null),
    unit('SCFM', 'SCFM', footM ** 3 / minuteS),
    unit('SCFH', 'SCFH', footM ** 3 / hourS),
    unit('SLPS', 'SLPS', 1e-3, also('STANDARD_LITERS_PER_SECOND')),
    unit('SLPM', 'SLPM', 1e-3 / minuteS, also('STANDARD_LITERS_PER_MIN')),
    unit('NCMH', 'NCMH', 1 / hourS, also('NORMAL_METERS3_PER_HOUR')),
    unit('NCMM', 'NCMM', 1 / minuteS, also('NORMAL_METERS3_PER_MINUTE')),
    unit('NLPS', 'NLPS', 1e-3, also('NORMAL_LITERS_PER_SEC')),
    unit('NLPM', 'NLPM', 1e-3 / minuteS, also('NORMAL_LITERS_PER_MIN')),
    unit('LITERS_PER_SEC', 'LPS', 1e-3),
    unit('LITERS_PER_MIN', 'LPM', 1e-3 / minuteS, also('LITER_PER_MIN')),
    unit('LITERS_PER_HOUR', 'LPH', 1e-3 / hourS, also('LITER_PER_HOUR')),
    unit('GALLONS_PER_SEC', 'GPS', gallonM3),
    unit('GALLONS_PER_MIN', 'GPM', gallonM3 / minuteS, also('GALLON_PER_MIN')),
    unit('GALLONS_PER_HOUR', 'GPH', gallonM3 / hourS),
  ]),
  measure('FLOW_MASS', 'Flow by mass', [
    unit('KG_PER_SEC', 'kg/s'),
    unit('LBS_PER_SEC', 'lb/s', poundKg),
  ]),
  measure('FORCE', 'Force', [
    unit('NEWTON', 'N'),
    unit('KILONEWTON', 'kN', 1e3),
    unit('POUND_FORCE', 'lbf', poundForceN),
  ]),
  measure('FREQUENCY', 'Frequency', [
    unit('HERTZ', 'Hz'),
    unit('KHZ', 'kHz', 1e3, also('KILOHERTZ')),
    unit('MHZ', 'MHz', 1e6, also('MEGAHERTZ')),
    unit('REV_PER_MIN', 'r/min', 1 / minuteS),
  ]),
  {
    id: 'LOCATION',
    name: 'Location',
    primitiveType: 'JSON',
    units: [unit('LAT_LONG', '', null), unit('LAT_LONG_ALT', '', null)],
    aliases: [],
  },
  measure('HEAT', 'Heat', [
    unit('JOULE', 'J'),
    unit('BTU', 'Btu', 1055.05585262),
    unit('CALORIE', 'cal', 4.184),
    unit('KILOCALORIE', 'kcal', 4184),
  ]),
  measure('HUMIDITY', 'Humidity', [unit('PERCENT', '%', 1, also('RELATIVE_HUMIDITY'))]),
  measure('ILLUMINANCE', 'Illuminance', [
    unit('LUX', 'lx'),
    unit('FOOT_CANDLES', 'fc', 1 / footM ** 2),
  ]),
  measure('INDUCTANCE', 'Inductance', [unit('HENRY', 'H')]),
  measure('JERK', 'Jerk', [unit('METER_PER_SEC3', 'm/s³')]),
  measure('LENGTH', 'Length', lengths),
  measure('LINEAR_DENSITY', 'Linear density', [unit('KILOGRAM_PER_METER', 'kg/m')]),
  measure('LUMINANCE', 'Luminance', [unit('CANDELA_PER_METER2', 'cd/m²')]),
  measure('LUMINOUS_FLUX', 'Luminous flux', [unit('LUMENS', 'lm')], ['LUMINANCE_FLUX']),
  measure('LUMINOUS_INTENSITY', 'Luminous intensity', [unit('CANDELA', 'cd')]),
  measure('MASS', 'Mass', [
    unit('MILLIGRAM', 'mg', 1e-6),
    unit('GRAM', 'g', 1e-3),
    unit('KILOGRAM', 'kg'),
    unit('POUND', 'lb', poundKg),
    unit('OZ', 'oz', poundKg / 16, also('OUNCE')),
    unit('TON', 'ton', 2000 * poundKg),
    unit('METRIC_TON', 't', 1e3),
    unit('SLUG', 'slug', poundForceN / footM),
    unit('DRAM', 'dr', poundKg / 256),
    unit('POUNDMASS', 'lbm', poundKg),
  ]),
  measure(
    'PARTICLES',
    'Particles',
    [
      unit('PPM', 'ppm', 1e-6, also('PARTS_PER_MILLION')),
      unit('PPB', 'ppb', 1e-9, also('PARTS_PER_BILLION')),
      unit('PPT', 'ppt', 1e-12),
      unit('MICROGRAM_PER_M3', 'µg/m³', null),
    ],
    ['PARTS_PER', 'CONCENTRATION'],
  ),
  measure('PERCENTAGE', 'Percentage', [percent]),
  measure('PH', 'pH', [unit('PH', 'pH')]),
  measure('ANGLE', 'Plane angle', [
    unit('RADIAN', 'rad'),
    unit('DEGREE', '°', degree),
    unit('ARCMINUTE', '′', degree / 60),
    unit('ARCSECOND', '″', degree / 3600),
  ]),
  measure('POWER', 'Power', [
    unit('WATT', 'W'),
    unit('MILLIWATT', 'mW', 1e-3),
    unit('KILOWATT', 'kW', 1e3),
    unit('MEGAWATT', 'MW', 1e6),
    unit('MICROWATT', 'µW', 1e-6),
    unit('VOLTAMPS', 'VA', 1, { kind: 'apparent', aliases: ['VOLTAMP'] }),
    unit('KILOVOLTAMPS', 'kVA', 1e3, { kind: 'apparent', aliases: ['KILOVOLTAMP'] }),
    unit('VOLTAMPS_REACTIVE', 'var', 1, { kind: 'reactive' }),
    unit('KILOVOLTAMPS_REACTIVE', 'kvar', 1e3, {
      kind: 'reactive',
      aliases: ['KILOVOLTAMP_REACTIVE'],
    }),
    unit('HORSEPOWER', 'hp', 550 * poundForceN * footM),
  ]),
  measure(
    'POWER_LEVEL',
    'Power level',
    [unit('DECIBEL', 'dB'), unit('DECIBEL_MILLIWATT', 'dBm', null)],
    ['SIGNAL_STRENGTH'],
  ),
  measure('PRESSURE', 'Pressure', [
    unit('PASCAL', 'Pa'),
    unit('KILOPASCAL', 'kPa', 1e3),
    unit('BAR', 'bar', 1e5),
    unit('MBAR', 'mbar', 100, also('MILLIBAR', 'MIL_BAR', 'HECTOPASCAL')),
    unit('PSI', 'psi', poundForceN / inchM ** 2),
    unit('TORR', 'Torr', atmospherePa / 760),
    unit('ATMOSPHERE', 'atm', atmospherePa, also('ATM')),
    unit('NEWTON_PER_METER_2', 'N/m²'),
    unit('MM_HG', 'mmHg', 133.322387415),
    unit('IN_H2O', 'inH₂O', 249.08891),
    unit('MEGAPASCAL', 'MPa', 1e6),
  ]),
  measure('SIGNAL_STRENGTH_PERCENTAGE', 'Signal strength', [percent]),
  measure('SOLID_ANGLE', 'Solid angle', [unit('STERADIAN', 'sr')]),
  measure('SPEED', 'Speed', [
    unit('METER_PER_SEC', 'm/s', 1, also('METERS_PER_SEC')),
    unit(
      'KPH',
      'km/h',
      1000 / hourS,
      also('KILOMETER_PER_HOUR', 'KILOMETERS_PER_HOUR', 'KM_PER_HOUR'),
    ),
    unit('MPH', 'mph', mileM / hourS, also('MILES_PER_HOUR')),
    unit('IN_PER_SEC', 'in/s', inchM, also('INCH_PER_SEC')),
    unit('FEET_PER_SEC', 'ft/s', footM, also('FEET_PER_SECOND')),
    unit('KNOTS', 'kn', 1852 / hourS, also('KNOT')),
  ]),
  measure('TEMPERATURE', 'Temperature', [
    unit('KELVIN', 'K', 1, also('DEG_KELVIN')),
    unit('DEG_CELSIUS', '°C', 1, { shift: 273.15 }),
    unit('DEG_FAHRENHEIT', '°F', 5 / 9, { shift: 459.67 }),
    unit('RANKINE', '°R', 5 / 9, also('DEG_RANKINE')),
  ]),
  measure(
    'TIME',
    'Time',
    [
      unit('SECONDS', 's', 1, also('SECOND')),
      unit('MILLISECOND', 'ms', 1e-3),
      unit('MINUTE', 'min', minuteS),
      unit('HOUR', 'h', hourS),
      unit('DAY', 'd', dayS),
      unit('YEAR', 'a', 365.25 * dayS),
      unit('MICROSECOND', 'µs', 1e-6),
    ],
    ['DURATION'],
  ),
  measure('TORQUE', 'Torque', [
    unit('NEWTON_METER', 'N⋅m'),
    unit('FOOT_POUNDS', 'lbf⋅ft', poundForceN * footM, also('FOOT_POUND')),
    unit('INCH_POUNDS', 'lbf⋅in', poundForceN * inchM),
  ]),
  plain('URL', 'URL', 'JSON'),
  measure('VELOCITY', 'Velocity', [
    unit('METER_PER_SEC', 'm/s', 1, also('METERS_PER_SEC')),
    unit('MILLMETERS_PER_SEC', 'mm/s', 1e-3, also('MILLIMETERS_PER_SEC', 'MILLIMETER_PER_SEC')),
    unit('MPH', 'mph', mileM / hourS, also('MILES_PER_HOUR')),
    unit('INCH_PER_SEC', 'in/s', inchM, also('IN_PER_SEC')),
    unit('FEET_PER_SEC', 'ft/s', footM, also('FEET_PER_SECOND')),
    unit(
      'KPH',
      'km/h',
      1000 / hourS,
      also('KILOMETER_PER_HOUR', 'KILOMETERS_PER_HOUR', 'KM_PER_HOUR'),
    ),
    unit('KNOTS', 'kn', 1852 / hourS, also('KNOT')),
  ]),
  measure('VOLUME', 'Volume', [
    unit('METER3', 'm³', 1, also('CUBIC_METER')),
    unit('LITRE', 'L', 1e-3, also('LITER')),
    unit('MILLILITRES', 'mL', 1e-6, also('MILLILITRE', 'MILLILITER')),
    unit('GALLON', 'gal', gallonM3),
    unit('QUARTS', 'qt', gallonM3 / 4, also('QUART')),
    unit('PINT', 'pt', gallonM3 / 8),
    unit('FEET3', 'ft³', footM ** 3),
    unit('INCH3', 'in³', inchM ** 3),
    unit('CENTIMETER3', 'cm³', 1e-6),
    unit('MILLIMETERS3', 'mm³', 1e-9, also('MILLIMETER3')),
    unit('IMPERIAL_GALLONS', 'Igal', imperialGallonM3, also('IMPERIAL_GALLON')),
    unit('FLUID_OZ', 'fl oz', gallonM3 / 128, also('FLUID_OUNCES')),
  ]),
  measure('WEIGHT', 'Weight', [
    unit('NEWTON', 'N'),
    unit('POUND', 'lb', poundForceN),
    unit('OUNCE', 'oz', poundForceN / 16, also('OZ')),
    unit('TON', 'ton', 2000 * poundForceN),
    unit('METRIC_TON', 't', 1000 * gravity),
  ]),
  measure('WORK', 'Work', [unit('JOULE', 'J'), unit('FOOT_POUND', 'ft⋅lb', poundForceN * footM)]),
]
