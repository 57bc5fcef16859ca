import type { SettingsPart } from '../api/connectors.ts'

type Leaf = string | number | boolean | readonly unknown[] | null
type PathIn<Of> = {
  [Name in keyof Of & string]: NonNullable<Of[Name]> extends Leaf
    ? Name
    : `${Name}.${PathIn<NonNullable<Of[Name]>>}`
}[keyof Of & string]

/** A setting of a connector as the API names it, such as `provisioning.pki.ca`. */
export type ConnectorSetting = PathIn<Required<SettingsPart>>

/** Typed texts and ticks of some settings, by their paths in the API. */
export type Typed = Readonly<Record<string, string | boolean>>

/** The parsers that turn texts into values; a setting without a parser is sent as it was typed. */
type Parsers<Path extends string = string> = {
  readonly [Name in Path]?: (text: string) => unknown
}

export const connectorParsers: Parsers<ConnectorSetting> = {
  'identity_format.options.length': parseOptional,
  'provisioning.ip_whitelisting.allowed': linesOf,
  'provisioning.identities_max': parseNumber,
  'provisioning.registrations_per_minute': parseNumber,
  'provisioning.pki.ca': (text) => (text.trim() === '' ? null : text),
  'provisioning.pki.vendor': (text) => text || null,
  'provisioning.pki.vendor_options.validity_months': parseOptional,
}

/** A setting as a field shows it: a list has a line for each item. */
export function shownAt(of: object, path: string): string | boolean {
  let value: unknown = of
  for (const name of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[name]
  if (typeof value === 'boolean') return value
  return Array.isArray(value) ? value.join('\n') : `${value ?? ''}`
}

/**
 * The settings that were changed, and no others: what somebody else changed meanwhile stays.
 * @returns undefined if nothing was changed.
 */
export function changedPart(of: object, typed: Typed, parsers: Parsers = {}): object | undefined {
  const changed = Object.entries(typed).filter(([path, value]) => shownAt(of, path) !== value)
  if (changed.length === 0) return undefined
  const part = {}
  for (const [path, value] of changed) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let place: Record<string, unknown> = part
    for (const name of names) {
      place[name] ??= {}
      place = place[name] as Record<string, unknown>
    }
    const parse = parsers[path]
    place[last] = typeof value === 'string' && parse !== undefined ? parse(value) : value
  }
  return part
}

/** Null for an empty text. */
export function parseOptional(text: string): number | string | null {
  return text.trim() === '' ? null : parseNumber(text)
}

/** A text that is no number is sent as it is, and rejected by the API. */
function parseNumber(text: string): number | string {
  const trimmed = text.trim()
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed
}

/** Returns the lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
