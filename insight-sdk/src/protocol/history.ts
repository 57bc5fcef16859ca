import { isObject, quote } from './reading.ts'
import type { HistoryInfo, JsonValue } from './types.ts'

/** The past values that a function requests with each call. */
export type HistoryAsked = {
  /** The most values of each signal; undefined: as many as the platform sends. */
  readonly limit: number | undefined
  /** The period back from the newest value, microseconds; undefined: any. */
  readonly spanUs: number | undefined
  readonly fromInlets: boolean
  readonly fromOutlets: boolean
}

/** The values of a linkage's constants, by name. */
type Constants = { readonly [name: string]: unknown }

const unitsUs: ReadonlyMap<string, number> = new Map([
  ['u', 1],
  ['us', 1],
  ['ms', 1_000],
  ['s', 1_000_000],
  ['m', 60_000_000],
  ['h', 3_600_000_000],
  ['d', 86_400_000_000],
  ['w', 604_800_000_000],
])

/**
 * Reads what a function's `history` requests, with the constants of one linkage. A parameter that
 * cannot be read counts as left out. Without `include_from` only inlets are requested.
 *
 * @returns undefined for a function that requests no history
 */
export function readHistoryAsked(
  history: JsonValue | undefined,
  constants: Constants,
): HistoryAsked | undefined {
  if (history === undefined || history === null || history === false) return undefined
  const asked: Constants = isObject(history) ? history : {}
  const from = parseSources(resolveParameter(asked.include_from, constants)) ?? ['inlets']
  return {
    limit: parseLimit(resolveParameter(asked.limit, constants)),
    spanUs: parseSpan(resolveParameter(asked.relative_start, constants)),
    fromInlets: from.includes('inlets'),
    fromOutlets: from.includes('outlets'),
  }
}

/** The faults of a function's `history`, as sentences; none for what users set by constants. */
export function faultsOfHistory(
  history: JsonValue | HistoryInfo | undefined,
  declared: Iterable<string>,
): string[] {
  if (!isObject(history)) return []
  const names = new Set(declared)
  const given: Constants = history
  const readers = { limit: parseLimit, relative_start: parseSpan, include_from: parseSources }
  const faults = Object.keys(given)
    .filter((name) => !Object.hasOwn(readers, name))
    .map((name) => `history.${name} is not known`)
  for (const [name, read] of Object.entries(readers)) {
    const parameter = given[name]
    const missing = constantsIn(parameter).filter((constant) => !names.has(constant))
    faults.push(...missing.map((it) => `history.${name} names ${quote(it)}, which is no constant`))
    const isSet = parameter !== undefined && parameter !== null
    if (!isSet || constantsIn(parameter).length > 0) continue
    if (read(resolveParameter(parameter, {})) !== undefined) continue
    faults.push(`history.${name} is ${quote(parameter)}, which cannot be read; it is left out`)
  }
  return faults
}

const templateCharsMax = 1_000
const placeholder = /\{\{([^{}]*)\}\}/g

/** A parameter's value: as it is, `{value}`, `{constant: name}` or `{template: "-{{name}}d"}`. */
function resolveParameter(given: unknown, constants: Constants): unknown {
  if (!isObject(given)) return given
  const { value, constant, template } = given
  if (typeof constant === 'string') return constants[constant]
  if (typeof template !== 'string' || template.length > templateCharsMax) return value
  return template.replaceAll(placeholder, (_, name: string) => String(constants[name.trim()] ?? ''))
}

function constantsIn(given: unknown): string[] {
  if (!isObject(given)) return []
  const { constant, template } = given
  if (typeof constant === 'string') return [constant]
  if (typeof template !== 'string' || template.length > templateCharsMax) return []
  return [...template.matchAll(placeholder)].flatMap(([, name]) => name?.trim() ?? [])
}

function parseLimit(given: unknown): number | undefined {
  const limit = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  return Number.isSafeInteger(limit) && Number(limit) >= 1 ? Number(limit) : undefined
}

/** `-2d`: how long that is. */
function parseSpan(given: unknown): number | undefined {
  if (typeof given !== 'string' || given.length > 40) return undefined
  const [, count, unit = ''] = /^\s*-?\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/.exec(given) ?? []
  const unitUs = unitsUs.get(unit)
  return count === undefined || unitUs === undefined ? undefined : Number(count) * unitUs
}

type Source = 'inlets' | 'outlets'

const sources: ReadonlyMap<unknown, readonly Source[]> = new Map<string, readonly Source[]>([
  ['inlet', ['inlets']],
  ['inlets', ['inlets']],
  ['outlet', ['outlets']],
  ['outlets', ['outlets']],
  ['all', ['inlets', 'outlets']],
])

function parseSources(given: unknown): readonly Source[] | undefined {
  const words = Array.isArray(given) ? given : [given]
  const known = words.flatMap((word) => sources.get(String(word).toLowerCase()) ?? [])
  return known.length === 0 ? undefined : known
}
