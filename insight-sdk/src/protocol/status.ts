import { describeType, isObject, present, quote, type Reading } from './reading.ts'
import type { Status, StatusLevel } from './types.ts'

const levels: readonly StatusLevel[] = [0, 1, 2, 3, 4]

/** Reads the status that a rule answered as a `value`; a bare level is taken, with a complaint. */
export function readStatus(value: unknown): Reading<Status> {
  const bare = levels.find((level) => level === value)
  if (bare !== undefined) {
    return { value: { level: bare }, complaints: ['the status is a bare number, taken as level'] }
  }
  if (!isObject(value)) return { error: `the status is ${describeType(value)}, not an object` }
  const level = levels.find((known) => known === value.level)
  if (level === undefined) return { error: `level is ${quote(value.level)}, not one of 0 to 4` }
  const type = typeof value.type === 'string' ? value.type : undefined
  const category = typeof value.category === 'string' ? value.category : undefined
  return { value: present({ level, type, category, value: value.value }), complaints: [] }
}
