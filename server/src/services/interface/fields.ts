import { invalidField } from '../../kernel/index.ts'

/** @throws Fault invalid_argument */
export function listOf(field: string, value: unknown, max: number): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw invalidField(field, 'must be an array')
  if (value.length > max) throw invalidField(field, `must have at most ${max} items`)
  return value
}

/** @throws Fault invalid_argument */
export function textOf(field: string, value: unknown, charsMax: number): string {
  if (typeof value !== 'string') throw invalidField(field, 'must be a string')
  if (value.length > charsMax) throw invalidField(field, `must have at most ${charsMax} characters`)
  return value
}

/** @throws Fault invalid_argument */
export function matching(field: string, value: unknown, pattern: RegExp): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw invalidField(field, `must match ${pattern.source}`)
}

/** False for a script's nil, which may arrive as null or undefined. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
