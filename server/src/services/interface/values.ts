import { Fault } from '../../kernel/index.ts'
import type { Ended, ScriptError, ScriptValue } from '../../scripting/index.ts'
import { refusals } from './errors.ts'
import { checkValue, isMap, type ScriptMap } from './schema/check.ts'
import type { SchemaNode } from './schema/node.ts'

/** The object that a handler returns to report a failure. */
export function isScriptError(value: ScriptValue): value is ScriptError {
  if (!isMap(value)) return false
  const { type, error, status } = value
  return typeof type === 'string' && typeof error === 'string' && typeof status === 'number'
}

/**
 * The arguments of an operation with the subscriber's parameters where they say nothing. A call
 * without arguments has none: an object where one is asked for.
 */
export function withDefaults(
  defaults: ScriptMap,
  schema: SchemaNode | undefined,
  value: ScriptValue,
): ScriptValue {
  const isNothing = value === undefined || value === null
  const isEmptyList = Array.isArray(value) && value.length === 0
  if (!isNothing && !isEmptyList && !isMap(value)) return value
  const wanted = Object.keys(defaults).length > 0 || (isNothing && schema?.type === 'object')
  return wanted ? Object.assign(Object.create(null), defaults, value) : value
}

export type Answered = { readonly value: ScriptValue; readonly status: number }

export type Answering = {
  /** Of which operation or event, as refusals name it. */
  readonly name: string
  readonly response: SchemaNode | undefined
  /** Whether who asked may see why the script failed: only within one business. */
  readonly trusted: boolean
}

/** What a handler's end means to whoever called it: a value or an error object, never a throw. */
export function answerOf(ended: Ended, answering: Answering): Answered {
  if (ended.kind !== 'returned') return failureOf(ended.error, answering)
  const { value } = ended
  if (isScriptError(value)) return { value, status: value.status }
  const { response, name } = answering
  if (response === undefined) return { value, status: 200 }
  try {
    return { value: checkValue(response, 'response', value), status: 200 }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return answeredWith(refusals.badResponse(name, error.detail))
  }
}

/** File, line and message of a script are its own business's affair. */
function failureOf(error: ScriptError, { name, trusted }: Answering): Answered {
  if (trusted || error.status !== 500) return { value: { ...error }, status: error.status }
  const shown = { ...error, error: `The handler of ${name} failed.` }
  return { value: shown, status: shown.status }
}

/** A refusal as the error object that scripts get. */
export function answeredWith({ status, detail }: Fault): Answered {
  const type = status < 500 ? 'QueryError' : 'ServerError'
  return { value: { type, error: detail, status }, status }
}
