import {
  isJsonObject,
  type Json,
  jsonBounds,
  limits,
  parseJsonObject,
} from '../../foundation/kernel/index.ts'
import { assetLimits } from './limits.ts'

/** A parsed write of `data_in`: values by channel, and errors by channel. */
export type DataIn =
  | { readonly values: ReadonlyMap<string, Json>; readonly errors: ReadonlyMap<string, string> }
  | { readonly error: string }

const errorKey = '__error'

/**
 * Reads `{"001":true,"002":78.2,"__error":{"003":"text"}}`. An `__error` that is no object is kept
 * under the channel `''`. Never throws.
 */
export function parseDataIn(text: string): DataIn {
  if (Buffer.byteLength(text) > limits.resourceValueBytesMax) {
    return { error: `data_in is above ${limits.resourceValueBytesMax} bytes` }
  }
  const object = parseJsonObject(text, jsonBounds(assetLimits.deviceJsonValuesMax))
  if (object === undefined) return { error: 'data_in is not a JSON object' }
  const { [errorKey]: errors, ...values } = object
  return { values: new Map(Object.entries(values)), errors: readErrors(errors) }
}

function readErrors(errors: Json | undefined): ReadonlyMap<string, string> {
  if (errors === undefined || errors === null) return new Map()
  if (!isJsonObject(errors)) return new Map([['', toText(errors)]])
  return new Map(Object.entries(errors).map(([channel, error]) => [channel, toText(error)]))
}

function toText(error: Json): string {
  return typeof error === 'string' ? error : JSON.stringify(error)
}
