import {
  isJsonObject,
  type Json,
  type JsonObject,
  pointerKeys,
} from '../../../foundation/kernel/index.ts'

/** Characters of a value that is wrong in a definition, as the refusal shows it. */
const definitionShownCharsMax = 60

/** Returns the value at a pointer; undefined if there is none. */
export function valueAt(document: JsonObject, pointer: string): Json | undefined {
  return pointerKeys(pointer).reduce<Json | undefined>(getField, document)
}

/** Returns a field of an object or an item of a list; undefined if there is none. */
export function getField(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as JsonObject)[name]
}

/** The fields of an object; none of anything else. */
export function getFields(value: Json | undefined): [string, Json][] {
  return isJsonObject(value) ? Object.entries(value) : []
}

/** The items of a list; none of anything else. */
export function getItems(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** A value as a sentence shows it. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value)
  const most = definitionShownCharsMax
  return text.length > most ? `${text.slice(0, most)}…` : text
}
