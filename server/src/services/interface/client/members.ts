import { isClosed, named, type PayloadSchema } from '../schema/payload.ts'

/** `given` by who calls, or what `comes` back: there a default is filled in. */
export type Side = 'given' | 'comes'

export type Member = {
  readonly name: string
  readonly schema: PayloadSchema
  readonly optional: boolean
}

/** The members of an object that are written out, those first that must be there. */
export function membersOf(schema: PayloadSchema, side: Side): Member[] {
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

/** Whether an object of named members, nothing else, says it all. */
export function isRecord(schema: PayloadSchema, side: Side): boolean {
  return kindOf(schema, side) === 'object' && membersOf(schema, side).length > 0 && !isMap(schema)
}

/** Whether further members are described, beside those that are written out. */
export function isMap({ patternProperties = {}, additionalProperties }: PayloadSchema): boolean {
  const others = additionalProperties !== undefined && !isClosed(additionalProperties)
  return others || Object.keys(patternProperties).length > 0
}

/** What further members may be; undefined where that is open. */
export function othersOf({
  patternProperties = {},
  additionalProperties,
}: PayloadSchema): PayloadSchema[] | undefined {
  if (additionalProperties === undefined) return undefined
  const others = isClosed(additionalProperties) ? [] : [additionalProperties]
  return [...Object.values(patternProperties), ...others]
}

/**
 * The type of a schema. One that names members without saying `object` lets other values pass: it
 * is an object to who gives it, and could be anything to who gets it.
 */
export function kindOf(schema: PayloadSchema, side: Side): PayloadSchema['type'] {
  if (schema.type !== undefined) return schema.type
  if (schema.enum !== undefined) return 'string'
  return side === 'given' && membersOf(schema, side).length > 0 ? 'object' : undefined
}
