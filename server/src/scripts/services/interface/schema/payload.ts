import type { Bound, PayloadType } from './node.ts'

/** A payload schema as written, validated by parse.ts. */
export type PayloadSchema = {
  readonly [Name in Bound]?: number
} & {
  readonly type?: PayloadType | readonly PayloadType[]
  readonly enum?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly default?: unknown
  readonly description?: string
  readonly uniqueItems?: boolean
  readonly items?: PayloadSchema | readonly PayloadSchema[]
  readonly additionalItems?: PayloadSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, PayloadSchema>>
  readonly patternProperties?: Readonly<Record<string, PayloadSchema>>
  readonly additionalProperties?: PayloadSchema
}

/** Returns a schema of a definition that parse-definition.ts has validated. */
export function toPayload(written: Readonly<Record<string, unknown>> | undefined): PayloadSchema {
  return (written ?? {}) as PayloadSchema
}

/** Returns the schema of a name; safe for names such as `__proto__`. */
export function named(
  schemas: Readonly<Record<string, PayloadSchema>> | undefined,
  name: string,
): PayloadSchema | undefined {
  return schemas !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined
}

/** Returns the type of a schema that has exactly one. */
export function oneType({ type }: PayloadSchema): PayloadType | undefined {
  return typeof type === 'string' ? type : undefined
}

/** Returns the schemas of the first items, and that of all others. */
export function splitItems({ items, additionalItems }: PayloadSchema) {
  if (items === undefined) return { first: [], others: undefined }
  return isList(items) ? { first: items, others: additionalItems } : { first: [], others: items }
}

/** True if only null passes: payload schemas have no `false`, so this forbids further members. */
export function isClosed(schema: PayloadSchema | undefined): boolean {
  return schema?.type === 'null' || schema?.enum?.length === 0
}

function isList(
  items: PayloadSchema | readonly PayloadSchema[],
): items is readonly PayloadSchema[] {
  return Array.isArray(items)
}
