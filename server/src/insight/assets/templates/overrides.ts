import { isDeepStrictEqual } from 'node:util'
import type { Json, JsonObject } from '../../../foundation/kernel/index.ts'
import type { Signal } from '../types.ts'
import type { Template } from './template.ts'

/** The fields of a signal that a template has. */
const compared = [
  'name',
  'description',
  'primitiveType',
  'dataType',
  'dataUnit',
  'precision',
  'min',
  'max',
  'multiplier',
  'offset',
  'timeoutMs',
  'tags',
  'display',
] as const

/**
 * Returns the fields in which a signal differs from its template as it is now, by the names of the
 * fields of a new signal; null if none does, or if the template does not have it.
 */
export function findTemplateOverrides(signal: Signal, template: Template): JsonObject | null {
  const pattern = template.signals.find(({ key }) => key === signal.templateKey)
  if (pattern === undefined) return null
  const own = compared.filter((name) => !isSame(signal[name], pattern[name]))
  const resource = toResource(signal.source)
  const isFed = isSame(resource, toResource(pattern.source ?? null))
  if (own.length === 0 && isFed) return null
  const fields = own.map((name) => [name, signal[name] as Json] as const)
  return Object.fromEntries(isFed ? fields : [...fields, ['source', resource]])
}

/** A field that is left out is as null, or as an empty text or object. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other))
}

function plain(value: unknown): unknown {
  if (value === undefined || value === '') return null
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return isEmpty ? null : value
}

/** The resource of its asset's device that feeds it. */
function toResource(source: Signal['source']): JsonObject | null {
  if (source === null || !('alias' in source)) return null
  const { alias, channel } = source
  return channel === undefined ? { alias } : { alias, channel }
}
