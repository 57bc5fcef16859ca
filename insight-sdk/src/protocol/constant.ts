import { describeType, type Fields, present, quote } from './reading.ts'
import { readTranslations } from './translations.ts'
import type { ConstantInfo, ConstantValue } from './types.ts'

const types = ['string', 'number', 'boolean'] as const
const knownFields = [
  'name',
  'type',
  'description',
  'default',
  'enum',
  'enum_presented',
  'maximum',
  'minimum',
  'multiple',
  'translations',
]

/** Reads one constant; undefined without a name. */
export function readConstant(fields: Fields): ConstantInfo | undefined {
  fields.only(knownFields)
  const name = fields.string('name')
  if (name === undefined || name === '') {
    fields.complain('name is missing; the constant is left out')
    return undefined
  }
  const allowed = readAllowed(fields)
  const constant: ConstantInfo = present({
    name,
    type: readType(fields),
    description: fields.string('description'),
    default: readDefault(fields),
    enum: allowed,
    enum_presented: readPresented(fields, allowed),
    maximum: fields.number('maximum'),
    minimum: fields.number('minimum'),
    multiple: fields.boolean('multiple'),
    translations: readTranslations(fields),
  })
  complainAboutValues(fields, constant)
  return constant
}

/** Values that contradict the constant stay as the module has them: it knows what it takes. */
function complainAboutValues(fields: Fields, constant: ConstantInfo): void {
  const { type, default: preset, enum: allowed, minimum = -Infinity, maximum = Infinity } = constant
  const values = allowed ?? []
  for (const value of preset === undefined ? values : [preset, ...values]) {
    if (typeof value !== type) fields.complain(`${quote(value)} is not a ${type}`)
    else if (Number(value) < minimum || Number(value) > maximum) {
      fields.complain(`${quote(value)} is not from ${minimum} to ${maximum}`)
    }
  }
  if (preset !== undefined && allowed?.includes(preset) === false) {
    fields.complain(`default is ${quote(preset)}, not one of enum`)
  }
  if (minimum > maximum) fields.complain(`minimum ${minimum} is above maximum ${maximum}`)
  for (const [language, words] of Object.entries(constant.translations ?? {})) {
    const { enum_presented: presented } = words
    if (presented !== undefined && presented.length !== values.length) {
      fields.complain(`enum_presented of ${language} is not as long as enum`)
    }
  }
}

/** Without a type it is inferred from the default or the allowed values. */
function readType(fields: Fields): ConstantInfo['type'] {
  const type = fields.readWord('type', types)
  if (type !== undefined) return type
  const allowed = fields.raw('enum')
  const example = fields.raw('default') ?? (Array.isArray(allowed) ? allowed[0] : undefined)
  const inferred = types.find((name) => name === typeof example) ?? 'string'
  fields.complain(`type is missing, taken as ${inferred}`)
  return inferred
}

function readDefault(fields: Fields): ConstantValue | undefined {
  const value = fields.raw('default')
  if (value === undefined || value === null) return undefined
  if (isConstantValue(value)) return value
  fields.complain(
    `default is ${describeType(value)}, not a string, number or boolean; it is left out`,
  )
  return undefined
}

function readAllowed(fields: Fields): readonly ConstantValue[] | undefined {
  const value = fields.raw('enum')
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value) && value.length > 0 && value.every(isConstantValue)) return value
  fields.complain(`enum is ${quote(value)}, not a list of values; it is left out`)
  return undefined
}

function readPresented(
  fields: Fields,
  allowed: readonly ConstantValue[] | undefined,
): readonly string[] | undefined {
  const presented = fields.strings('enum_presented')
  if (presented === undefined || presented.length === allowed?.length) return presented
  fields.complain('enum_presented is not as long as enum; it is left out')
  return undefined
}

function isConstantValue(value: unknown): value is ConstantValue {
  return types.some((name) => name === typeof value)
}
