import type { Pattern } from '../../../../foundation/kernel/index.ts'
import type { ScriptValue } from '../../../scripting/index.ts'

export const payloadTypes = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
] as const
export type PayloadType = (typeof payloadTypes)[number]

/** A parsed payload schema: a tree without references, so each node checks a value once. */
export type SchemaNode = {
  readonly title?: string
  readonly type?: PayloadType
  /** In place of one type: a value of any of these passes. */
  readonly types?: readonly PayloadType[]
  /** True for a value that the subscription has, and that no caller may give. */
  readonly restricted?: true
  readonly enum?: ReadonlySet<string>
  readonly format?: (text: string) => boolean
  readonly formatName?: string
  readonly default?: ScriptValue
  readonly bounds: Readonly<Partial<Record<Bound, number>>>
  readonly pattern?: Pattern
  readonly uniqueItems: boolean
  /** A schema for all items, or one for each of the first. */
  readonly items?: SchemaNode | readonly SchemaNode[]
  readonly additionalItems?: SchemaNode
  readonly required: readonly string[]
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly patternProperties: readonly (readonly [Pattern, SchemaNode])[]
  readonly additionalProperties?: SchemaNode
}

export const numberBounds = ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum'] as const
export const countBounds = [
  'maxItems',
  'minItems',
  'maxLength',
  'minLength',
  'maxProperties',
  'minProperties',
] as const

export type Bound = (typeof numberBounds)[number] | (typeof countBounds)[number]
