import type { TSchema } from 'typebox'
import { isJsonObject } from '../text/json.ts'
import { findObjectSchema, type Node, readValueSchema, toNode } from './node.ts'

/**
 * Returns a value without the fields that its schema does not have; `note` gets the path of each.
 * Everything else of the value is left for the check.
 */
export function withoutUnknown(
  schema: TSchema,
  value: unknown,
  note: (path: string) => void,
): unknown {
  return known(toNode(schema), value, '', note)
}

function known(schema: Node, value: unknown, path: string, note: (path: string) => void): unknown {
  const node = findObjectSchema(schema)
  if (Array.isArray(value)) {
    const { items } = node
    if (items === undefined) return value
    return value.map((one, at) => known(items, one, `${path}[${at}]`, note))
  }
  if (!isJsonObject(value) || ArrayBuffer.isView(value)) return value
  const values = readValueSchema(node)
  const { properties = {}, additionalProperties } = node
  const isClosed = additionalProperties === false && values === undefined
  const fields = Object.entries(value).flatMap(([name, one]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : values
    const place = path === '' ? name : `${path}.${name}`
    if (inner === undefined && isClosed) {
      note(place)
      return []
    }
    return [[name, inner === undefined ? one : known(inner, one, place, note)] as const]
  })
  return Object.fromEntries(fields)
}
