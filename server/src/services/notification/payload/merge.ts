import { isJsonObject, type Json, type JsonObject } from '../../../kernel/index.ts'

/**
 * Merges `over` into `base`, name by name. It adds and overrides, and never deletes: null
 * changes nothing.
 */
export function merge(base: JsonObject, over: JsonObject | undefined): JsonObject {
  if (over === undefined) return base
  const merged = new Map<string, Json>(Object.entries(base))
  for (const [name, value] of Object.entries(over)) {
    const before = merged.get(name)
    if (value === null) continue
    const both = isJsonObject(before) && isJsonObject(value)
    merged.set(name, both ? merge(before, value) : value)
  }
  return Object.fromEntries(merged)
}

/** Returns an object without its undefined properties. */
export function omitUndefined(parts: { readonly [name: string]: Json | undefined }): JsonObject {
  const known = Object.entries(parts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as JsonObject
}
