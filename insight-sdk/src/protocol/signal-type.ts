import { type Fields, present } from './reading.ts'
import { readTranslations } from './translations.ts'
import { primitiveTypes, type SignalTypeInputInfo, type SignalTypeOutputInfo } from './types.ts'

const shared = ['name', 'primitive_type', 'data_type', 'data_unit', 'description', 'translations']
const inletFields = [...shared, 'tag']
const outletFields = [...shared, 'suggested_name']

const kinds = ['primitive_type', 'data_type', 'data_unit']

/** Every field that an inlet, an outlet or a constant may have of its own. */
export const signalTypeFields: readonly string[] = [...shared, 'tag', 'suggested_name', 'type']

/** Reads one inlet. An inlet without a name goes by its tag, else by its index. */
export function readInlet(fields: Fields, index: number): SignalTypeInputInfo {
  fields.only(inletFields)
  const tag = fields.string('tag') || undefined
  const name = fields.string('name') || undefined
  const stands = tag ?? `inlet ${index}`
  if (name === undefined)
    fields.complain(`name is missing; ${JSON.stringify(stands)} stands for it`)
  const kind = readKind(fields)
  if (!kinds.some((key) => fields.raw(key) !== undefined)) {
    fields.complain(`none of ${kinds.join(', ')} is there; any signal fits`)
  }
  return present({ name: name ?? stands, tag, ...kind })
}

/** Reads one outlet. No field of it is required. */
export function readOutlet(fields: Fields): SignalTypeOutputInfo {
  fields.only(outletFields)
  return present({
    name: fields.string('name'),
    suggested_name: fields.string('suggested_name'),
    ...readKind(fields),
  })
}

function readKind(fields: Fields) {
  return {
    primitive_type: fields.readWord('primitive_type', primitiveTypes),
    data_type: fields.strings('data_type'),
    data_unit: fields.strings('data_unit'),
    description: fields.string('description'),
    translations: readTranslations(fields),
  }
}
