import { parseOwnJson } from '../../../foundation/kernel/thread/index.ts'
import type { ScriptValue } from './value.ts'

/**
 * A value as JSON text and back, without loss: bytes are `{"$bytes": "<base64>"}`, and a key of a
 * script that begins with `$` has one more. Numbers that JSON cannot express become null.
 */
export function encodeValue(value: ScriptValue): string {
  return JSON.stringify(toPlain(value)) ?? 'null'
}

/** @throws SyntaxError where the text is no JSON. */
export function decodeValue(text: string): ScriptValue {
  return fromPlain(parseOwnJson(text))
}

const bytesKey = '$bytes'

function toPlain(value: ScriptValue): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return { [bytesKey]: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(toPlain)
  return mapFields(value as Fields, escaped, toPlain)
}

function fromPlain(value: unknown): ScriptValue {
  if (typeof value !== 'object' || value === null) return value as ScriptValue
  if (Array.isArray(value)) return value.map(fromPlain)
  const bytes = (value as Fields)[bytesKey]
  if (typeof bytes === 'string') return Uint8Array.from(Buffer.from(bytes, 'base64'))
  return mapFields(value as Fields, unescaped, fromPlain) as ScriptValue
}

type Fields = Readonly<Record<string, ScriptValue>>

/** By entries, so that a key such as `__proto__` is one like any other. */
function mapFields<Value>(
  fields: Fields,
  rename: (key: string) => string,
  map: (value: ScriptValue) => Value,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [rename(key), map(value)] as const),
  )
}

function escaped(key: string): string {
  return key.startsWith('$') ? `$${key}` : key
}

function unescaped(key: string): string {
  return key.startsWith('$$') ? key.slice(1) : key
}
