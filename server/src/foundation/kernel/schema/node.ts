import type { TSchema } from 'typebox'
import type { SchemaKeywords } from './build.ts'

/** The parts of a schema that this folder reads, as JSON Schema names them. */
export type Node = {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
  readonly required?: readonly string[]
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly pattern?: string
}

export function toNode(schema: TSchema): Node {
  return schema as Node
}

export function readKeywords(schema: Node): SchemaKeywords {
  return schema as SchemaKeywords
}

export function readProperties({ properties = {} }: Node): Readonly<Record<string, Node>> {
  return properties
}

/** The schema of the values of an object whose names are free. */
export function readValueSchema({ patternProperties = {} }: Node): Node | undefined {
  return Object.values(patternProperties)[0]
}

/** Returns true for the schema of a field that may be null. */
export function takesNull(schema: TSchema | Node): boolean {
  return (schema as Node).anyOf?.some(({ type }) => type === 'null') === true
}

/** The schema of the other values of a field that may be null. */
export function findObjectSchema(schema: Node): Node {
  return schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema
}
