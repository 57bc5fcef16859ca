import type { Bound, PayloadType } from './node.ts'

/** A payload schema as it was written, once parse.ts has found it good. */
export type PayloadSchema = {
  readonly [Name in Bound]?: number
} & {
  readonly type?: PayloadType
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

/** Of a definition that parse-definition.ts has read. */
export function payloadOf(written: Readonly<Record<string, unknown>> | undefined): PayloadSchema {
  return (written ?? {}) as PayloadSchema
}

/** The schema of a name among those that were written, whatever the name is. */
export function named(
  schemas: Readonly<Record<string, PayloadSchema>> | undefined,
  name: string,
): PayloadSchema | undefined {
  return schemas !== undefined && Object.hasOwn(schemas, name) ? schemas[name] : undefined
}

/** The schemas of the first items, and that of all others. */
export function itemsOf({ items, additionalItems }: PayloadSchema) {
  if (items === undefined) return { first: [], others: undefined }
  return isList(items) ? { first: items, others: additionalItems } : { first: [], others: items }
}

/** A schema cannot say `false`: one that lets nothing but null pass says so of further members. */
export function isClosed(schema: PayloadSchema | undefined): boolean {
  return schema?.type === 'null' || schema?.enum?.length === 0
}

function isList(
  items: PayloadSchema | readonly PayloadSchema[],
): items is readonly PayloadSchema[] {
  return Array.isArray(items)
}
