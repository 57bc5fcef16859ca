import { Fault } from '../../../../foundation/kernel/index.ts'
import type { Ended, ScriptError, ScriptValue } from '../../../scripting/index.ts'
import { refusals } from '../errors.ts'
import { checkValue, isMap, type ScriptMap } from '../schema/check.ts'
import type { SchemaNode } from '../schema/node.ts'

/** The object that a handler returns to report a failure. */
export function isScriptError(value: ScriptValue): value is ScriptError {
  if (!isMap(value)) return false
  const { type, error, status } = value
  return typeof type === 'string' && typeof error === 'string' && typeof status === 'number'
}

/**
 * Returns the arguments of an operation with the subscriber's parameters as defaults. A call
 * without arguments gets an empty object if the schema requires an object.
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

export type CallAnswer = { readonly value: ScriptValue; readonly status: number }

export type ResultOptions = {
  /** The name of the operation or event, for refusals. */
  readonly name: string
  readonly response: SchemaNode | undefined
  /** True if the caller may see why the script failed: only within one business. */
  readonly trusted: boolean
}

/** Turns a handler's end into the caller's result: a value or an error object; throws nothing. */
export function toResult(ended: Ended, options: ResultOptions): CallAnswer {
  if (ended.kind !== 'returned') return toFailure(ended.error, options)
  const { value } = ended
  if (isScriptError(value)) return { value, status: value.status }
  const { response, name } = options
  if (response === undefined) return { value, status: 200 }
  try {
    return { value: checkValue(response, 'response', value), status: 200 }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return errorResult(refusals.badResponse(name, error.detail))
  }
}

/** Hides file, line and message of a script from other businesses. */
function toFailure(error: ScriptError, { name, trusted }: ResultOptions): CallAnswer {
  if (trusted || error.status !== 500) return { value: { ...error }, status: error.status }
  const shown = { ...error, error: `The handler of ${name} failed.` }
  return { value: shown, status: shown.status }
}

/** Turns a refusal into the error object that scripts get. */
export function errorResult({ status, detail }: Fault): CallAnswer {
  const type = status < 500 ? 'QueryError' : 'ServerError'
  return { value: { type, error: detail, status }, status }
}
