import { booleanOf, numberOf } from './formats.ts'
import type { Resource } from './resource.ts'

type Matcher = (text: string) => boolean

const number = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`
const range = new RegExp(`^(${number})-(${number})$`)

/**
 * What one allowed item of a number resource means: a literal (`9` allows `9.0` too) or a range
 * with both ends in it (`9-11`, `-5--1`, `0.5-2.5`). Undefined where it is neither, or where the
 * range ends before it starts. `1e-5` is a literal: what can be a number is one.
 */
export function numericItem(item: string): { from: number; to: number } | undefined {
  const literal = numberOf(item)
  if (literal !== undefined) return { from: literal, to: literal }
  const [, first = '', last = ''] = range.exec(item) ?? []
  const from = numberOf(first)
  const to = numberOf(last)
  if (from === undefined || to === undefined || from > to) return undefined
  return { from, to }
}

/** Why an item cannot stand in `allowed` of a resource of this format. */
export function refuseItem(format: Resource['format'], item: string): string | undefined {
  if (format === 'number' && numericItem(item) === undefined) {
    return 'must hold numbers or ranges such as 9-11'
  }
  if (format === 'boolean' && booleanOf(item) === undefined) {
    return 'must hold true, false, 1 or 0'
  }
  return undefined
}

const matchers = new WeakMap<Resource, Matcher>()

/** Whether `allowed` admits a text that has the resource's format; an empty one admits all. */
export function isAllowed(resource: Resource, text: string): boolean {
  if (resource.allowed.length === 0) return true
  let matcher = matchers.get(resource)
  if (matcher === undefined) {
    matcher = matcherOf(resource)
    matchers.set(resource, matcher)
  }
  return matcher(text)
}

function matcherOf({ format, allowed }: Resource): Matcher {
  if (format === 'string') {
    const literals = new Set(allowed)
    return (text) => literals.has(text)
  }
  if (format === 'boolean') {
    const truths = new Set(allowed.map(booleanOf))
    return (text) => truths.has(booleanOf(text))
  }
  const ranges = allowed.map(numericItem).filter((one) => one !== undefined)
  return (text) => {
    const value = numberOf(text) ?? Number.NaN
    return ranges.some(({ from, to }) => from <= value && value <= to)
  }
}
