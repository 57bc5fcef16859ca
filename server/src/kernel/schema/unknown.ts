import type { TSchema } from 'typebox'
import { isJsonObject } from '../json.ts'
import { type Node, nodeOf, valueSchemaOf } from './node.ts'

/**
 * Returns a value without the fields that its schema does not have; `note` gets the path of each.
 * Everything else of the value is left for the check.
 */
export function withoutUnknown(
  schema: TSchema,
  value: unknown,
  note: (path: string) => void,
): unknown {
  return known(nodeOf(schema), value, '', (path) => {
    note(path)
    return false
  })
}

/**
 * Returns a value with what a refusal may name: of each object the first unknown field, and of a
 * list that is too long no item past its limit but one.
 */
export function withFirstUnknown(schema: TSchema, value: unknown): unknown {
  let object: string | undefined
  const keeps = (_path: string, of: string) => {
    const isFirst = object !== of
    object = of
    return isFirst
  }
  return known(
    nodeOf(schema),
    value,
    '',
    keeps,
    ({ maxItems = Number.POSITIVE_INFINITY }) => maxItems + 1,
  )
}

function known(
  schema: Node,
  value: unknown,
  path: string,
  /** Whether the unknown field at a path stays in its object. */
  keeps: (path: string, object: string) => boolean,
  itemsMax = (_list: Node) => Number.POSITIVE_INFINITY,
): unknown {
  const node = objectOf(schema)
  if (Array.isArray(value)) {
    const { items } = node
    if (items === undefined) return value
    const some = value.slice(0, itemsMax(node))
    return some.map((one, at) => known(items, one, `${path}[${at}]`, keeps, itemsMax))
  }
  if (!isJsonObject(value) || ArrayBuffer.isView(value)) return value
  const values = valueSchemaOf(node)
  const { properties = {}, additionalProperties } = node
  const isClosed = additionalProperties === false && values === undefined
  const fields = Object.entries(value).flatMap(([name, one]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : values
    const place = path === '' ? name : `${path}.${name}`
    if (inner === undefined && isClosed && !keeps(place, path)) return []
    return [[name, inner === undefined ? one : known(inner, one, place, keeps, itemsMax)] as const]
  })
  return Object.fromEntries(fields)
}

/** Of a field that may be null, the schema of what else it may be. */
function objectOf(schema: Node): Node {
  return schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema
}
