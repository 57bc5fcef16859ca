import {
  countChars,
  createSettingsParser,
  invalidField,
  limits,
  Nullable,
  refuseText,
  type StaticResult,
  StrictObject,
  Text,
  Type,
} from '../../../foundation/kernel/index.ts'

export const identityTypes = [
  'opaque',
  'number',
  'mac_colon',
  'mac_dash',
  'mac_plain',
  'uuid',
] as const
export type IdentityType = (typeof identityTypes)[number]

export const identityCasings = ['any', 'mixed', 'upper', 'lower'] as const

const typeSchema = Type.Enum([...identityTypes], { component: 'IdentityType' })

/** `mixed` is the device API's word for `any`. */
const casingSchema = Type.Enum([...identityCasings], {
  component: 'IdentityCasing',
  description: 'The case of letters after the prefix.',
})

const wireNames = { casing: 'options.casing', length: 'options.length' }

/** The format of a connector's identities. A prefix that is empty, and no length: any. */
export const identityFormatSchema = StrictObject(
  {
    prefix: Type.String(),
    type: typeSchema,
    casing: casingSchema,
    length: Nullable(Type.Integer()),
  },
  { wireNames },
)
export type IdentityFormat = StaticResult<typeof identityFormatSchema>

export const anyIdentity: IdentityFormat = {
  prefix: '',
  type: 'opaque',
  casing: 'any',
  length: null,
}

type Shape = { readonly pattern: RegExp; readonly says: string; readonly length?: number }

const shapes: Readonly<Record<Exclude<IdentityType, 'opaque'>, Shape>> = {
  number: { pattern: /^\d+$/, says: 'must be digits' },
  mac_colon: {
    pattern: /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i,
    says: 'must be a MAC address such as 00:1b:44:11:3a:b7',
    length: 17,
  },
  mac_dash: {
    pattern: /^[0-9a-f]{2}(?:-[0-9a-f]{2}){5}$/i,
    says: 'must be a MAC address such as 00-1b-44-11-3a-b7',
    length: 17,
  },
  mac_plain: {
    pattern: /^[0-9a-f]{12}$/i,
    says: 'must be a MAC address such as 001b44113ab7',
    length: 12,
  },
  uuid: {
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
    says: 'must be a UUID of version 4',
    length: 36,
  },
}

/** The rule for every identity, whatever its connector's format is. */
export function refuseIdentity(identity: string): string | undefined {
  if (identity.length === 0) return 'must not be empty'
  return refuseText(identity, limits.identityCharsMax)
}

/** The rule of the connector's format that an identity breaks; undefined where it breaks none. */
export function checkIdentity(format: IdentityFormat, identity: string): string | undefined {
  const refusal = refuseIdentity(identity)
  if (refusal !== undefined) return refusal
  if (!identity.startsWith(format.prefix)) return `must start with ${format.prefix}`
  const rest = identity.slice(format.prefix.length)
  if (rest.length === 0) return 'must have something after the prefix'
  if (isFixed(format.length) && countChars(rest) !== format.length) {
    return `must have ${format.length} characters after the prefix`
  }
  if (format.casing === 'upper' && /[a-z]/.test(rest)) return 'must be in upper case'
  if (format.casing === 'lower' && /[A-Z]/.test(rest)) return 'must be in lower case'
  if (format.type === 'opaque') return undefined
  const shape = shapes[format.type]
  return shape.pattern.test(rest) ? undefined : shape.says
}

export const identityFormatInputSchema = StrictObject(
  {
    prefix: Type.Optional(
      Text({
        description: 'The beginning of each identity.',
        maxLength: limits.identityCharsMax - 1,
      }),
    ),
    type: Type.Optional(typeSchema),
    casing: Type.Optional(casingSchema),
    length: Type.Optional(
      Nullable(Type.Integer({ minimum: 0, maximum: limits.identityCharsMax }), {
        description: 'Characters after the prefix; null or 0: any number.',
      }),
    ),
  },
  { wireNames },
)

const parse = createSettingsParser(() => identityFormatInputSchema, 'identityFormat')

/**
 * The format after a change; fields that are not named stay.
 * @throws Fault `invalid_argument`; also where no identity could ever conform.
 */
export function parseIdentityFormat(input: unknown, base: IdentityFormat): IdentityFormat {
  const part = parse(input)
  const { prefix = base.prefix, type = base.type, casing = base.casing } = part
  const { length = base.length } = part
  const format: IdentityFormat = { prefix, type, casing, length }
  refuseImpossible(format)
  return format
}

function isFixed(length: number | null): length is number {
  return length !== null && length !== 0
}

function refuseImpossible({ prefix, type, length }: IdentityFormat): void {
  const fixed = type === 'opaque' ? undefined : shapes[type].length
  if (fixed !== undefined && isFixed(length) && length !== fixed) {
    throw invalidField('identityFormat.length', `must be ${fixed} or null for ${type}`)
  }
  if (countChars(prefix) + ((length || fixed) ?? 1) > limits.identityCharsMax) {
    throw invalidField('identityFormat', `leaves more than ${limits.identityCharsMax} characters`)
  }
}
