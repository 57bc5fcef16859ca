import {
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  Type,
} from 'typebox'
import type { Json } from '../text/json.ts'

/**
 * The keywords that this project adds to JSON Schema. They stand among the options of a schema:
 * `Type.String({ rule: 'must be a name', numberAsText: true })`. The check ignores them.
 */
export type SchemaKeywords = {
  /** The name under which the schema stands in the OpenAPI document. */
  readonly component?: string
  /** The end of the sentence for a value that is not valid: `must be a name`. */
  readonly rule?: string
  /** The end of the sentence for a value that is left out; without it, `rule`. */
  readonly missing?: string
  /** The value of a field that is left out. Such a field is listed as required. */
  readonly default?: unknown
  /** A number is taken as its text. */
  readonly numberAsText?: boolean
  /** A text of digits is taken as its number. */
  readonly digitsAsNumber?: boolean
  /** An empty text counts as left out. */
  readonly emptyAsMissing?: boolean
  /** A single item is taken as a list of it. */
  readonly itemAsList?: boolean
  /** The name of a field in the management API; without it, the field's own in snake_case. */
  readonly wire?: string
  /** The same of an object, for its fields that have another. */
  readonly wireNames?: Readonly<Record<string, string>>
}

/** An object all of whose fields are named here. */
export function StrictObject<Properties extends TProperties>(
  properties: Properties,
  options: TSchemaOptions & SchemaKeywords = {},
) {
  return Type.Object(properties, { ...options, additionalProperties: false })
}

/**
 * An object whose names are free. The pattern of `Type.Record` alone has no line break in it, so
 * the value of such a name would stay unchecked.
 */
export function RecordOf<Schema extends TSchema>(
  values: Schema,
  options: TSchemaOptions & SchemaKeywords = {},
) {
  return Type.Record(Type.String({ pattern: '^' }), values, options)
}

/** Any value of a type that is not checked. */
export function AnyValue<Value>(options: TSchemaOptions & SchemaKeywords = {}) {
  return Type.Unsafe<Value>(Type.Unknown(options))
}

/** Bytes that are not UTF-8, as a script has them. */
export function Bytes() {
  return Type.Unsafe<Uint8Array>(
    Type.Refine(
      Type.Unknown({ description: 'bytes' }),
      (value) => value instanceof Uint8Array,
      () => 'must be bytes',
    ),
  )
}

/** An object without fields: a result without data. */
export function EmptyObject() {
  return Type.Unsafe<Readonly<Record<string, never>>>(StrictObject({}))
}

/** A field that may be null. */
export function Nullable<Schema extends TSchema>(
  schema: Schema,
  options: TSchemaOptions & SchemaKeywords = {},
) {
  return Type.Union([schema, Type.Null()], options)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches them
const control = /[\u0000-\u001f\u007f-\u009f]/

/** The rule that a text breaks wherever it is stored and shown; undefined where it breaks none. */
export function refuseText(text: string, charsMax: number): string | undefined {
  if (text.length > charsMax && countChars(text) > charsMax) {
    return `must have at most ${charsMax} characters`
  }
  if (control.test(text)) return 'must not hold control characters'
  if (!text.isWellFormed()) return 'must be well-formed Unicode'
  return undefined
}

/** Characters as a person counts them: code points. */
export function countChars(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A string that is stored and shown: well-formed, without control characters. */
export function Text(options: TSchemaOptions & SchemaKeywords & { readonly maxLength: number }) {
  const { maxLength } = options
  return Type.Refine(
    Type.String(options),
    (text) => refuseText(text, maxLength) === undefined,
    (text) => refuseText(text, maxLength) ?? '',
  )
}

/**
 * A type all of whose parts are read-only: a result may be an object that is kept. Types that hold
 * themselves end at the depth of eight, and any JSON at once.
 */
export type ReadonlyDeep<Value, Absent, Depth extends 1[] = []> = Json extends Value
  ? Value
  : Depth['length'] extends 8
    ? Value
    : Value extends Uint8Array
      ? Value
      : Value extends object
        ? {
            readonly [Key in keyof Value]:
              | ReadonlyDeep<Value[Key], Absent, [1, ...Depth]>
              | Missing<Value, Key, Absent>
          }
        : Value

/** A field that may be left out may be `Absent`, too. */
type Missing<Value, Key extends keyof Value, Absent> = Value extends readonly unknown[]
  ? never
  : string extends Key
    ? never
    : object extends Pick<Value, Key>
      ? Absent
      : never

export type StaticResult<Schema extends TSchema> = ReadonlyDeep<Static<Schema>, undefined>

/** A value that is given by any API: GraphQL has null for what is left out. */
export type StaticInput<Schema extends TSchema> = ReadonlyDeep<Static<Schema>, null | undefined>

/** The names of the fields that are written and never shown (`writeOnly`). */
export function secretNames({ properties }: TObject): string[] {
  const isSecret = (field: TSchema) => 'writeOnly' in field && field.writeOnly === true
  return Object.keys(properties).filter((name) => isSecret(properties[name] ?? {}))
}
