import type { TSchema } from 'typebox'
import { type Node, toNode } from './node.ts'

/**
 * A small value of a schema: only the fields that are required, empty texts and lists, the least
 * numbers. Undefined if the schema says nothing about its type.
 */
export function leastValue(schema: TSchema): unknown {
  return makeLeast(toNode(schema))
}

function makeLeast(node: Node): unknown {
  if (node.const !== undefined) return node.const
  if (node.enum !== undefined) return node.enum[0]
  if (node.anyOf !== undefined) return node.anyOf[0] && makeLeast(node.anyOf[0])
  switch (node.type) {
    case 'object': {
      const names = node.required ?? []
      return Object.fromEntries(
        names.map((name) => [name, makeLeast(node.properties?.[name] ?? {})]),
      )
    }
    case 'array':
      return []
    case 'string':
      return ''
    case 'boolean':
      return false
    case 'number':
    case 'integer':
      return node.minimum ?? 0
    default:
      return undefined
  }
}
