import { ModuleError } from '../errors.ts'
import type { ProcessArgs } from '../protocol.ts'
import type { ConstantDeclaration, Constants, ConstantValues } from './declarations.ts'
import { faultOfValue } from './validate-function.ts'

/**
 * The values of a call's constants, defaults filled in, by the names that are declared.
 *
 * @throws ModuleError InvalidRequest naming the constant that is missing or breaks its declaration
 */
export function readConstantValues<C extends Constants>(
  declared: C,
  given: ProcessArgs['constants'],
  multipleMax: number | undefined,
): ConstantValues<C> {
  const values = Object.entries(declared).map(([name, constant]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    return [name, readValue(name, constant, value, multipleMax)]
  })
  return Object.fromEntries(values) as ConstantValues<C>
}

function readValue(
  name: string,
  constant: ConstantDeclaration,
  given: unknown,
  multipleMax: number | undefined,
): unknown {
  const elements = toElements(constant, given)
  if (elements.length === 0 && constant.required === true) throw refusal(name, 'it is missing')
  if (elements.length > (multipleMax ?? Infinity)) {
    throw refusal(name, `${elements.length} values are more than are allowed`)
  }
  for (const element of elements) {
    const fault = faultOfValue(constant, element)
    if (fault !== undefined) throw refusal(name, fault)
  }
  return constant.multiple === true ? elements : elements[0]
}

/** An empty text field of a form is no value; neither is null. */
function toElements(constant: ConstantDeclaration, given: unknown): readonly unknown[] {
  const blank = given === '' && constant.type !== 'string'
  if (given === undefined || given === null || blank) {
    return constant.default === undefined ? [] : [constant.default]
  }
  return constant.multiple === true && Array.isArray(given) ? given : [given]
}

function refusal(name: string, what: string): ModuleError {
  return new ModuleError('InvalidRequest', `constant "${name}": ${what}`)
}
