import {
  Fault,
  limits,
  type Named,
  namedArguments,
  tableField,
  unlessEmptyList,
} from '../../kernel/index.ts'
import type { ScriptValue } from '../../scripting/index.ts'

/** @throws Fault invalid_argument for what is no table, or holds another name. */
export function take<Name extends string>(
  args: ScriptValue,
  names: readonly Name[],
): Named<Name, ScriptValue> {
  return namedArguments(unlessEmptyList(args), names)
}

/** A name, or `undefined` where none was given. */
export function nameIn(field: string, value: ScriptValue): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '' && value.length <= limits.nameCharsMax) return value
  throw invalid(`${field} must be a text`)
}

/** A table with names; one without anything may come as a list. */
export function tableIn(field: string, value: ScriptValue): Readonly<Record<string, ScriptValue>> {
  if (Array.isArray(value) && value.length === 0) return {}
  return tableField(field, value) as Readonly<Record<string, ScriptValue>>
}

export function invalid(sentence: string): Fault {
  return new Fault('invalid_argument', sentence)
}
