import { Fault } from './errors.ts'
import { isJsonObject, type JsonObject } from './json.ts'

/** Some of these names, each with what was given for it. */
export type Named<Name extends string, Value> = Readonly<Partial<Record<Name, Value>>>

/**
 * Arguments that have names; nothing is none of them.
 * @throws Fault invalid_argument for what is no table, or holds another name.
 */
export function namedArguments<Name extends string, Value>(
  args: Value,
  names: readonly Name[],
): Named<Name, Value> {
  const given = tableField('the argument', args ?? {})
  refuseOtherNames(given, names)
  return given as Named<Name, Value>
}

/** @throws Fault invalid_argument unless the value is an object with names, not a list or bytes. */
export function tableField(field: string, value: unknown): JsonObject {
  if (isJsonObject(value) && !(value instanceof Uint8Array)) return value
  throw new Fault('invalid_argument', `${field} must be a table with names`)
}

/** @throws Fault invalid_argument with the first name that is not among these. */
export function refuseOtherNames(given: object, names: readonly string[]): void {
  const other = Object.keys(given).find((name) => !names.includes(name))
  if (other === undefined) return
  throw new Fault('invalid_argument', `there is no argument ${other.slice(0, 40)}`)
}

/** An empty table of a script may come as a list, which is then no arguments. */
export function unlessEmptyList<Value>(args: Value): Value | undefined {
  return Array.isArray(args) && args.length === 0 ? undefined : args
}
