import { isJsonObject, type Json, type JsonObject, limits } from '../../kernel/index.ts'

/** Where a value is in a document, as a JSON pointer (RFC 6901). */
export function pointerOf(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Returns the value at a pointer; undefined if there is none. */
export function valueAt(document: JsonObject, pointer: string): Json | undefined {
  const keys = pointer.split('/').slice(1)
  return keys.reduce<Json | undefined>((value, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    return fieldOf(value, name)
  }, document)
}

/** Returns a field of an object or an item of a list; undefined if there is none. */
export function fieldOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as JsonObject)[name]
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : []
}

/** The items of a list; none of anything else. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** A value as a sentence shows it. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value)
  const most = limits.definitionShownCharsMax
  return text.length > most ? `${text.slice(0, most)}…` : text
}
