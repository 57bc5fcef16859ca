import type { TLocalizedValidationError } from 'typebox/error'
import { limits } from '../limits.ts'
import { pointerKeys } from '../text/json.ts'
import { type Node, readKeywords, readProperties, readValueSchema } from './node.ts'

/** The words of a source of values. */
export type Wording = {
  /** The subject of a sentence about the whole value. */
  readonly name: string
  /** The place of the whole value among the settings that it belongs to. */
  readonly path?: string
  /** The end of the sentence for a value that is no object. */
  readonly objectRule: string
  /** The number of a list's first item. */
  readonly firstIndex: 0 | 1
  /** The sentence for a field that is not in the schema. */
  unknownField(name: string, place: string): string
}

/** The place of a value that is not valid. `order` compares places as they are declared. */
type Problem = { readonly order: readonly number[]; readonly sentence: string }

/** Returns the sentence for the first error: unknown fields, then in order of declaration. */
export function formatErrors(
  schema: Node,
  errors: readonly TLocalizedValidationError[],
  wording: Wording,
): string {
  const causes = errors.filter(isCause)
  const problems = (causes.length > 0 ? causes : errors).map((error) =>
    toProblem(schema, error, wording),
  )
  problems.sort((one, other) => compareOrder(one.order, other.order))
  return problems[0]?.sentence ?? `${wording.name} is not valid`
}

/**
 * An unknown field is two errors: of its own, and of the object that may not have it. A field that
 * may be null has the error of its other type, that of null, and that of the choice of the two.
 */
function isCause({ keyword, params }: TLocalizedValidationError): boolean {
  if (keyword === 'type') return !('type' in params && params.type === 'null')
  return keyword !== 'boolean' && keyword !== 'anyOf'
}

function compareOrder(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index])
  if (at === -1) return one.length - other.length
  return (one[at] ?? 0) - (other[at] ?? Number.NEGATIVE_INFINITY)
}

function toProblem(root: Node, error: TLocalizedValidationError, wording: Wording): Problem {
  const { schema, order, place } = find(root, error.instancePath, wording)
  const subject = place === '' ? wording.name : place
  if (error.keyword === 'additionalProperties') {
    const name = shown(error.params.additionalProperties[0] ?? '')
    return { order: [...order, -1], sentence: wording.unknownField(name, subject) }
  }
  if (error.keyword === 'required') {
    const name = error.params.requiredProperties[0] ?? ''
    const names = Object.keys(readProperties(schema))
    const { missing, rule = 'must be given' } = readKeywords(readProperties(schema)[name] ?? {})
    const field = place === '' ? name : `${place}.${name}`
    const at = names.indexOf(name)
    return { order: [...order, at], sentence: `${field} ${missing ?? rule}` }
  }
  const rule = error.keyword === '~refine' ? error.message : formatRule(schema, error, wording)
  return { order, sentence: `${subject} ${rule}` }
}

type Found = { readonly schema: Node; readonly order: readonly number[]; readonly place: string }

/** Follows the path of a value through the schema; ends at a union, which has one rule. */
function find(root: Node, path: string, { firstIndex, path: start = '' }: Wording): Found {
  let schema = nonNull(root)
  let place = start
  const order: number[] = []
  for (const segment of pointerKeys(path)) {
    const properties = readProperties(schema)
    const isNamed = Object.hasOwn(properties, segment)
    const next = isNamed ? properties[segment] : (schema.items ?? readValueSchema(schema))
    if (next === undefined) break
    order.push(isNamed ? Object.keys(properties).indexOf(segment) : Number(segment) || 0)
    if (schema.items !== undefined) place += `[${Number(segment) + firstIndex}]`
    else place += `${place === '' ? '' : '.'}${shown(segment)}`
    schema = nonNull(next)
  }
  return { schema, order, place }
}

/** A field that may be null has the rule of its other type. */
function nonNull(schema: Node): Node {
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return only === undefined || others.length > 0 || readKeywords(schema).rule ? schema : only
}

function shown(name: string): string {
  return name.slice(0, limits.nameCharsMax)
}

/** Returns the rule of a schema in words: its own, else that of the keyword. */
function formatRule(
  schema: Node,
  { keyword }: { readonly keyword: string },
  wording: Wording,
): string {
  const { rule } = readKeywords(schema)
  if (rule !== undefined) return rule
  const { minLength = 0, maxLength, minItems = 0, maxItems, pattern } = schema
  if (keyword === 'minLength') {
    return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`
  }
  if (keyword === 'maxLength') return `must have at most ${maxLength} characters`
  if (keyword === 'minItems') return `must have at least ${minItems} item${minItems > 1 ? 's' : ''}`
  if (keyword === 'maxItems') return `must have at most ${maxItems} items`
  if (keyword === 'pattern') return `must match ${pattern}`
  const choices = listChoices(schema)
  if (choices !== undefined) return `must be one of ${choices.join(', ')}`
  return formatTypeRule(schema, wording)
}

/** The values of an enumeration, or of a union of them. */
export function listChoices(schema: Node): readonly unknown[] | undefined {
  if (schema.enum !== undefined) return schema.enum
  if ('const' in schema) return [schema.const]
  const parts = schema.anyOf?.map(listChoices)
  return parts?.every((part) => part !== undefined) ? parts.flat() : undefined
}

function formatTypeRule(
  { type, minimum, maximum, pattern }: Node,
  { objectRule }: Wording,
): string {
  const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum}`
  if (type === 'integer') return `must be a whole number${range}`
  if (type === 'number') return `must be a number${range}`
  if (type === 'boolean') return 'must be true or false'
  if (type === 'array') return 'must be an array'
  if (type === 'object') return objectRule
  if (type !== 'string') return 'is not valid'
  return pattern === undefined ? 'must be a string' : `must match ${pattern}`
}
