import {
  type DocumentProblem,
  Fault,
  limits,
  parseOwnJson,
  toPointer,
} from '../../foundation/kernel/index.ts'
import type { ParameterDeclaration } from './schema.ts'
import type { Listing, Use } from './types.ts'

/** The value of one such parameter that is a text. */
const moduleParameterCharsMax = 4_096

type ParameterValue = string | number | boolean

/** The values of a use, by the names of the parameters. */
export type ParameterValues = Readonly<Record<string, ParameterValue>>

/** A parameter of a use as people may see it. */
export type ShownParameter = ParameterDeclaration & {
  readonly isSet: boolean
  /** Null for a password, and if there is none. */
  readonly value: ParameterValue | null
}

/** Encryption with the key of the instance; `context` names the secret and its owner. */
export type ParameterSecrets = {
  seal(text: string, context: string): string
  open(sealed: string, context: string): string
}

type Owner = Pick<Use, 'businessId' | 'id'>

function sealContext({ businessId, id }: Owner): string {
  return `marketplace/${businessId}/${id}`
}

/** The place of a module and what it declares there. */
type Place = Pick<Listing, 'base' | 'parameters'>

/** The sealed text: where the secrets may be sent, the secrets, and the other values. */
type Sealed = readonly [origin: string, secrets: ParameterValues, others: ParameterValues]

function bound({ base, parameters }: Place, values: ParameterValues): Sealed {
  const secret = new Set(parameters.filter(({ secret }) => secret).map(({ name }) => name))
  const [secrets, others] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => secret.has(name) === wanted)),
  )
  return [new URL(base).origin, secrets ?? {}, others ?? {}]
}

/** Seals values for the place of their module. @returns '' if there are none. */
export function sealValues(
  secrets: ParameterSecrets,
  { listing, ...owner }: Owner & { readonly listing: Place },
  values: ParameterValues,
): string {
  if (Object.keys(values).length === 0) return ''
  return secrets.seal(JSON.stringify(bound(listing, values)), sealContext(owner))
}

/** The values that a module gets at its place. */
export type OpenedValues = {
  readonly values: ParameterValues
  /** The names of the secrets that were given for another place, and that place. */
  readonly withheld: readonly string[]
  readonly origin: string
}

/**
 * Opens the values of a use for a place, which is that of its listing if none is named. A secret
 * is for the origin that it was given for, and while its parameter is declared as a secret.
 * @throws Fault secret_unreadable
 */
export function openValues(
  secrets: ParameterSecrets,
  use: Pick<Use, 'businessId' | 'id' | 'listing' | 'sealed' | 'secretsBase'>,
  place: Place = use.listing,
): OpenedValues {
  const here = new URL(place.base).origin
  if (use.sealed === '') return { values: {}, withheld: [], origin: here }
  const stored = parseOwnJson<Sealed | ParameterValues>(secrets.open(use.sealed, sealContext(use)))
  const [origin, hidden, others] = isBound(stored) ? stored : bound(placeBefore(use), stored)
  const declared = new Map(place.parameters.map((one) => [one.name, one]))
  const isKept = (name: string) => origin === here && declared.get(name)?.secret !== false
  const kept = Object.entries(hidden).filter(([name]) => isKept(name))
  const withheld = Object.keys(hidden).filter((name) => declared.has(name) && !isKept(name))
  return { values: { ...others, ...Object.fromEntries(kept) }, withheld, origin }
}

/** Values that a version without origins has sealed are for where the module was then. */
function placeBefore({ listing, secretsBase }: Pick<Use, 'listing' | 'secretsBase'>): Place {
  return { base: secretsBase ?? listing.base, parameters: listing.parameters }
}

function isBound(stored: Sealed | ParameterValues): stored is Sealed {
  return Array.isArray(stored)
}

/**
 * Returns the values of a use after a change. Values that are left out stay as they were; null
 * removes one.
 * @throws Fault invalid_argument, with all that is wrong: a name that is not declared, a value of
 * another type, a required one that is missing.
 */
export function changedValues(
  declared: readonly ParameterDeclaration[],
  before: ParameterValues,
  given: Readonly<Record<string, unknown>>,
): ParameterValues {
  const byName = new Map(declared.map((one) => [one.name, one]))
  const values = new Map(Object.entries(before).filter(([name]) => byName.has(name)))
  const problems: DocumentProblem[] = []
  const fail = (name: string, detail: string) =>
    problems.push({ pointer: toPointer('parameters', name.slice(0, limits.nameCharsMax)), detail })
  for (const [name, value] of Object.entries(given)) {
    const declaration = byName.get(name)
    if (declaration === undefined) fail(name, 'the module has no such parameter')
    else if (value === null) values.delete(name)
    else if (isOfType(declaration, value)) values.set(name, value)
    else fail(name, formatRule(declaration))
  }
  for (const { name, required } of declared) {
    if (required && !values.has(name) && !(given[name] ?? false)) fail(name, 'it is required')
  }
  if (problems.length > 0) throw refusal(problems)
  return Object.fromEntries(values)
}

function refusal(problems: readonly DocumentProblem[]): Fault {
  const sentences = problems.map(({ pointer, detail }) => `${pointer}: ${detail}`)
  return new Fault('invalid_argument', `${sentences.join('; ')}.`, { problems })
}

/** A control character would end a header. */
const control = /\p{Cc}/u

function isOfType({ type }: ParameterDeclaration, value: unknown): value is ParameterValue {
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return Number.isFinite(value)
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= moduleParameterCharsMax &&
    !control.test(value)
  )
}

function formatRule({ type }: ParameterDeclaration): string {
  if (type !== 'string') return `it must be of the type ${type}`
  const most = moduleParameterCharsMax
  return `it must be a text of 1 to ${most} characters, none a control character`
}

/** The parameters that a module declares, with the values of a use; no password is shown. */
export function shownParameters(
  declared: readonly ParameterDeclaration[],
  values: ParameterValues,
): ShownParameter[] {
  return declared.map((declaration) => {
    const value = values[declaration.name]
    const shown = declaration.secret ? undefined : value
    return { isSet: value !== undefined, value: shown ?? null, ...declaration }
  })
}
