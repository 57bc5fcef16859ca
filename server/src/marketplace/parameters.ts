import { type DocumentProblem, Fault, limits, parseOwnJson, pointerOf } from '../kernel/index.ts'
import type { ParameterDeclaration } from './types.ts'

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

/** The owner of sealed values. */
type Owner = { readonly businessId: string; readonly id: string }

function contextOf({ businessId, id }: Owner): string {
  return `marketplace/${businessId}/${id}`
}

/** @returns '' if there are none. */
export function sealValues(secrets: ParameterSecrets, owner: Owner, values: ParameterValues) {
  if (Object.keys(values).length === 0) return ''
  return secrets.seal(JSON.stringify(values), contextOf(owner))
}

/** @throws Fault secret_unreadable */
export function openValues(secrets: ParameterSecrets, owner: Owner, sealed: string) {
  if (sealed === '') return {}
  return parseOwnJson<ParameterValues>(secrets.open(sealed, contextOf(owner)))
}

/**
 * Returns the values of a use after a change. What is left out stays as it was; null removes it.
 * @throws Fault invalid_argument, with all that is wrong: a name that is not declared, a value of
 *   another type, a required one that is missing.
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
    problems.push({ pointer: pointerOf('parameters', name.slice(0, limits.nameCharsMax)), detail })
  for (const [name, value] of Object.entries(given)) {
    const declaration = byName.get(name)
    if (declaration === undefined) fail(name, 'the module has no such parameter')
    else if (value === null) values.delete(name)
    else if (isOfType(declaration, value)) values.set(name, value)
    else fail(name, ruleOf(declaration))
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
    value.length <= limits.moduleParameterCharsMax &&
    !control.test(value)
  )
}

function ruleOf({ type }: ParameterDeclaration): string {
  if (type !== 'string') return `it must be of the type ${type}`
  const { moduleParameterCharsMax: most } = limits
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
    return Object.assign({ isSet: value !== undefined, value: shown ?? null }, declaration)
  })
}
