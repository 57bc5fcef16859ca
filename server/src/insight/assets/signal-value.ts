import {
  Fault,
  type Json,
  jsonBounds,
  parseDecimal,
  parseJson,
} from '../../foundation/kernel/index.ts'
import { assetLimits } from './limits.ts'
import type { Signal } from './types.ts'

const truths: ReadonlyMap<Json, boolean> = new Map<Json, boolean>([
  [true, true],
  [1, true],
  ['true', true],
  ['1', true],
  [false, false],
  [0, false],
  ['false', false],
  ['0', false],
])

type Reading = { readonly value: Json } | { readonly complaint: string }

/**
 * Converts what a device sent, a channel's JSON value or a resource's text, to the value of a
 * signal: of the signal's primitive type, a number with the multiplier and the offset of the
 * channel's description. Returns a complaint if it cannot be read so.
 */
export function toSignalValue(
  signal: Pick<Signal, 'primitiveType' | 'multiplier' | 'offset'>,
  raw: Json,
): Reading {
  switch (signal.primitiveType) {
    case 'NUMERIC':
      return numeric(raw, signal.multiplier ?? 1, signal.offset ?? 0)
    case 'BOOLEAN': {
      const truth = truths.get(typeof raw === 'string' ? raw.trim().toLowerCase() : raw)
      return truth === undefined ? complaint(raw, 'a boolean') : { value: truth }
    }
    case 'STRING':
      if (raw === null) return complaint(raw, 'a string')
      return { value: typeof raw === 'string' ? raw : JSON.stringify(raw) }
    case 'JSON':
      return typeof raw === 'string' ? parsed(raw) : { value: raw }
  }
}

function numeric(raw: Json, multiplier: number, offset: number): Reading {
  const isText = typeof raw === 'string' && raw.trim() !== ''
  const number = isText ? (parseDecimal(raw) ?? Number.NaN) : raw
  if (typeof number === 'boolean') return { value: Number(number) * multiplier + offset }
  if (typeof number !== 'number') return complaint(raw, 'a number')
  const value = number * multiplier + offset
  return Number.isFinite(value) ? { value } : complaint(raw, 'a finite number')
}

/** A text that is no JSON is a value as it is; JSON past the bounds is none. */
function parsed(text: string): Reading {
  try {
    return { value: parseJson(text, jsonBounds(assetLimits.deviceJsonValuesMax)) as Json }
  } catch (error) {
    return error instanceof Fault ? complaint(text, `read: ${error.message}`) : { value: text }
  }
}

function complaint(raw: Json, wanted: string): Reading {
  const text = JSON.stringify(raw)
  return { complaint: `${text.length > 60 ? `${text.slice(0, 60)}…` : text} is not ${wanted}` }
}
