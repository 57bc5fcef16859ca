import type { PayloadType } from '../schema/node.ts'
import { isClosed, named, oneType, type PayloadSchema } from '../schema/payload.ts'

/** `given` by the caller, or `comes` back, with defaults filled in. */
export type Side = 'given' | 'comes'

export type Member = {
  readonly name: string
  readonly schema: PayloadSchema
  readonly optional: boolean
}

/** Returns the named members of an object, required ones first. */
export function listMembers(schema: PayloadSchema, side: Side): Member[] {
  const { properties = {}, required = [] } = schema
  const names = [...new Set([...Object.keys(properties), ...required])]
  const members = names.map((name) => {
    const inner = named(properties, name) ?? {}
    const filled = inner.default !== undefined
    const must = side === 'given' ? required.includes(name) && !filled : required.includes(name)
    return { name, schema: inner, optional: !(must || (side === 'comes' && filled)) }
  })
  return members.sort((a, b) => Number(a.optional) - Number(b.optional))
}

/** True if an object of named members describes the schema completely. */
export function isRecord(schema: PayloadSchema, side: Side): boolean {
  return (
    schemaKind(schema, side) === 'object' && listMembers(schema, side).length > 0 && !isMap(schema)
  )
}

/** True if the schema describes further members beside the named ones. */
export function isMap({ patternProperties = {}, additionalProperties }: PayloadSchema): boolean {
  const others = additionalProperties !== undefined && !isClosed(additionalProperties)
  return others || Object.keys(patternProperties).length > 0
}

/** Returns the schemas of further members; undefined if any value may follow. */
export function listOthers({
  patternProperties = {},
  additionalProperties,
}: PayloadSchema): PayloadSchema[] | undefined {
  if (additionalProperties === undefined) return undefined
  const others = isClosed(additionalProperties) ? [] : [additionalProperties]
  return [...Object.values(patternProperties), ...others]
}

/**
 * Returns the type of a schema. A schema that names members without `type: object` accepts other
 * values, too: a sender sends an object, a receiver may get anything.
 */
export function schemaKind(schema: PayloadSchema, side: Side): PayloadType | undefined {
  if (schema.type !== undefined) return oneType(schema)
  if (schema.enum !== undefined) return 'string'
  return side === 'given' && listMembers(schema, side).length > 0 ? 'object' : undefined
}
