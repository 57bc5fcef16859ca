import {
  component,
  createSettingsParser,
  Fault,
  invalidField,
  limits,
  Nullable,
  RecordOf,
  refuseText,
  type Static,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import { formats, type ResourceFormat, resourceFormats } from './formats.ts'

/** Literals and ranges that one resource allows. */
const allowedMax = 100
/** The resources of one connector, as JSON: a connector in memory stays small. */
const resourcesBytesMax = 64 * 1024

export const resourceFormatSchema = Type.Enum([...resourceFormats], {
  component: 'ResourceFormat',
  description: 'The format of its values.',
  rule: `must be one of ${resourceFormats.join(', ')}`,
})

/** An initial value of a resource that is not settable is only stored. */
export const resourceSchema = component('Resource', {
  format: resourceFormatSchema,
  unit: Type.Optional(Type.String()),
  allowed: Type.Array(Type.String(), {
    description: 'Literals, and for numbers ranges such as `9-11`; empty: all.',
  }),
  settable: Type.Boolean({ description: 'True if the cloud may set it.' }),
  initial: Type.Optional(Type.String({ description: 'The first value of a new device.' })),
  sync: Type.Optional(Type.Boolean()),
})

/** A named value that each device of a connector has. */
export type Resource = StaticResult<typeof resourceSchema> & { readonly alias: string }

export type Resources = ReadonlyMap<string, Resource>

/**
 * Returns why a value is refused, as a sentence's end ("must be a number"); undefined if it is
 * valid. Then `storedValue` returns the text to store.
 */
export function checkValue(resource: Resource, text: string): string | undefined {
  const longer = text.length > limits.resourceValueBytesMax
  if (longer || Buffer.byteLength(text) > limits.resourceValueBytesMax) {
    return `must have at most ${limits.resourceValueBytesMax} bytes`
  }
  if (text.includes('\0')) return 'must not hold NUL'
  if (!text.isWellFormed()) return 'must be well-formed Unicode'
  const refusal = formats[resource.format].refuse(text)
  if (refusal !== undefined) return refusal
  return isAllowed(resource, text) ? undefined : 'must be one of the allowed values'
}

/** A resource is read and shown as JSON, so the check made of `allowed` is no field of it. */
const matchers = new WeakMap<Resource, (text: string) => boolean>()

/** Returns true if `allowed` holds a text of the resource's format; an empty list allows all. */
function isAllowed(resource: Resource, text: string): boolean {
  if (resource.allowed.length === 0) return true
  let matcher = matchers.get(resource)
  if (matcher === undefined) {
    matcher = formats[resource.format].makeMatcher(resource.allowed)
    matchers.set(resource, matcher)
  }
  return matcher(text)
}

/**
 * Returns the text of a valid value as it is stored: a number without blanks around it, else
 * unchanged.
 */
export function storedValue({ format }: Resource, text: string): string {
  return formats[format].stored(text)
}

/** A value as JSON has it; it is stored as the text that a device would write. */
const scalar = (description?: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
    ...(description !== undefined && { description }),
    rule: 'must be a string, a number or a boolean',
  })

const definition = StrictObject({
  alias: Type.Optional(
    Type.String({
      description: 'The name under which it stands.',
      rule: 'must be the same as its key',
    }),
  ),
  format: resourceFormatSchema,
  unit: Type.Optional(Text({ maxLength: limits.settingCharsMax })),
  allowed: Type.Optional(
    Nullable(Type.Array(scalar(), { maxItems: allowedMax }), {
      description: 'Literals, and for numbers ranges such as `9-11`; empty: all.',
    }),
  ),
  settable: Type.Optional(
    Nullable(Type.Boolean(), { description: 'True if the cloud may set it.' }),
  ),
  initial: Type.Optional(scalar('The first value of a new device.')),
  sync: Type.Optional(
    Type.Boolean({
      description: 'False: no device acknowledges values that are set; they count as reported.',
    }),
  ),
})
type Definition = Static<typeof definition>
type Scalar = NonNullable<Definition['initial']>

/** Definitions by alias; null takes one away. */
export const resourcesInputSchema = RecordOf(Nullable(definition))

const parse = createSettingsParser(() => resourcesInputSchema, 'resources')

/**
 * The resources after a change: those that are named are defined anew, whole; `null` takes one
 * away; the others stay.
 * @throws Fault `invalid_argument`, naming the alias and the rule.
 */
export function parseResources(input: unknown, base: Resources): Resources {
  const resources = new Map(base)
  for (const [alias, definition] of Object.entries(parse(input))) {
    if (definition === null) resources.delete(alias)
    else resources.set(parseAlias(alias), readResource(alias, definition))
    if (resources.size > limits.resourcesMax) {
      throw invalidField('resources', `must be at most ${limits.resourcesMax}`)
    }
  }
  if (Buffer.byteLength(JSON.stringify([...resources.values()])) > resourcesBytesMax) {
    throw invalidField('resources', `must have at most ${resourcesBytesMax} bytes as JSON`)
  }
  return resources
}

function parseAlias(alias: string): string {
  const refusal =
    alias === '' ? 'must not be empty' : refuseText(alias, provisioningLimits.aliasCharsMax)
  if (refusal !== undefined) throw invalidField('alias', refusal)
  if (/[.$]/.test(alias)) throw invalidField(`alias ${alias}`, 'must not hold "." or "$"')
  return alias
}

function readResource(alias: string, input: Definition): Resource {
  const name = (field: string) => `resources.${alias}.${field}`
  if (input.alias !== undefined && input.alias !== alias) {
    throw invalidField(name('alias'), 'must be the same as its key')
  }
  const { format, unit, sync } = input
  const resource: Resource = {
    alias,
    format,
    allowed: readAllowed(name('allowed'), format, input.allowed ?? []),
    settable: input.settable ?? false,
    ...(unit !== undefined && { unit }),
    ...(sync !== undefined && { sync }),
  }
  if (input.initial === undefined) return resource
  return { ...resource, initial: parseInitial(name('initial'), resource, input.initial) }
}

function readAllowed(
  field: string,
  format: ResourceFormat,
  input: readonly Scalar[],
): readonly string[] {
  return input.map((item) => {
    const text = String(item)
    const refusal = refuseText(text, limits.settingCharsMax) ?? formats[format].refuseItem(text)
    if (refusal !== undefined) throw invalidField(field, refusal)
    return text
  })
}

function parseInitial(field: string, resource: Resource, input: Scalar): string {
  const initial = String(input)
  const refusal = refuseText(initial, limits.settingCharsMax) ?? checkValue(resource, initial)
  if (refusal !== undefined) throw invalidField(field, refusal)
  return storedValue(resource, initial)
}

const parseState = createSettingsParser(() => RecordOf(scalar()), 'state', '')

/**
 * The values that the cloud sets, as texts.
 * @throws Fault `not_settable`, `value_refused`, `invalid_argument`; each names the alias.
 */
export function parseSetValues(
  resources: Resources,
  input: unknown,
): Readonly<Record<string, string>> {
  const wanted = Object.entries(parseState(input))
  if (wanted.length === 0) throw invalidField('state', 'must hold a value')
  const texts = wanted.map(([alias, value]) => {
    const resource = resources.get(alias)
    if (!resource?.settable) {
      throw new Fault('not_settable', undefined, {
        reason: `The resource ${alias.slice(0, provisioningLimits.aliasCharsMax)} cannot be set.`,
      })
    }
    const text = String(value)
    const refusal = checkValue(resource, text)
    if (refusal !== undefined) throw new Fault('value_refused', `${alias} ${refusal}`)
    return [alias, storedValue(resource, text)] as const
  })
  return Object.fromEntries(texts)
}
