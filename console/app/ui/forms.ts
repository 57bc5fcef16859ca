import type { operations } from '@millrace/client'

/** The rules of the contract for a field of a body. */
export type Rule = {
  /** An array has texts: one a line. */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  readonly choices?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  /** The end of the sentence for a value that does not match the pattern. */
  readonly rule?: string
  readonly isNeeded?: boolean
  /** Null takes the value away. */
  readonly isNullable?: boolean
}

declare const body: unique symbol

/** The rules of a body by the paths of its fields, such as `provisioning.pki.ca`. */
export type Form<Body = unknown> = {
  readonly [path: string]: Rule
  readonly [body]?: Body
}

/** The JSON that an operation takes. */
export type BodyOf<Id extends keyof operations> = operations[Id] extends {
  readonly requestBody?: { readonly content: { readonly 'application/json': infer Body } }
}
  ? Body
  : never

type Leaf = string | number | boolean | readonly unknown[] | null
/** The paths of the fields of an object that inputs can hold. */
export type PathIn<Of> = {
  [Name in keyof Of & string]: NonNullable<Of[Name]> extends Leaf
    ? Name
    : `${Name}.${PathIn<NonNullable<Of[Name]>>}`
}[keyof Of & string]

/** Typed texts and ticks of some fields, by their paths in the API. */
export type Typed = Readonly<Record<string, string | boolean>>

/** A value as a field shows it: a list has a line for each item. */
export function shownAt(of: object, path: string): string | boolean {
  let value: unknown = of
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  if (typeof value === 'boolean') return value
  return Array.isArray(value) ? value.join('\n') : `${value ?? ''}`
}

/**
 * The fields that were changed, and no others: what somebody else changed meanwhile stays.
 * @returns undefined if nothing was changed.
 */
export function changedPart<Body>(of: object, typed: Typed, form: Form<Body>): Body | undefined {
  const changed = Object.entries(typed).filter(
    ([path, value]) => path in form && shownAt(of, path) !== value,
  )
  const values = changed.map(([path, value]) => [path, readValue(form[path], value)] as const)
  return changed.length === 0 ? undefined : toObject<Body>(values)
}

/** The body of something new: a field that is left empty is left out. */
export function newBody<Body>(typed: Typed, form: Form<Body>): Body {
  const given = Object.entries(typed).filter(([path, value]) => value !== '' && path in form)
  return toObject<Body>(given.map(([path, value]) => [path, readValue(form[path], value)]))
}

function toObject<Body>(values: readonly (readonly [path: string, value: unknown])[]): Body {
  const whole = {}
  for (const [path, value] of values) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place: Record<string, unknown> = whole
    for (const name of names) {
      place[name] ??= {}
      place = place[name] as Record<string, unknown>
    }
    place[last] = value
  }
  return whole as Body
}

/** The value of a typed text. A text that is no number is sent as it is, and rejected. */
function readValue({ type, isNullable }: Rule = {}, typed: string | boolean): unknown {
  if (typeof typed === 'boolean') return typed
  if (type === 'array') return splitLines(typed)
  if (isNullable && typed.trim() === '') return null
  if (type !== 'integer') return typed
  return isWhole(typed) ? Number(typed) : typed.trim()
}

/** True for the digits of a number that JavaScript has. */
export function isWhole(text: string): boolean {
  return /^\s*\d{1,15}\s*$/.test(text)
}

/** Returns the lines of a text that are not empty. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
