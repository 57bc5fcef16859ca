import { booleanOf, numberOf, type ResourceFormat } from './formats.ts'

/** The part of a resource that decides which values it allows. */
type Restriction = { readonly format: ResourceFormat; readonly allowed: readonly string[] }

type Matcher = (text: string) => boolean

const number = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`
const range = new RegExp(`^(${number})-(${number})$`)

/**
 * Returns the range of one allowed item of a number resource: a literal (`9` allows `9.0` too) or a
 * range with both ends in it (`9-11`, `-5--1`, `0.5-2.5`). Undefined if it is neither, or if the
 * range ends before it starts. `1e-5` is a literal: a number comes before a range.
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

/** Returns why an item cannot stand in `allowed` of a resource of this format. */
export function refuseItem(format: ResourceFormat, item: string): string | undefined {
  switch (format) {
    case 'string':
      return undefined
    case 'number':
      return numericItem(item) === undefined
        ? 'must hold numbers or ranges such as 9-11'
        : undefined
    case 'boolean':
      return booleanOf(item) === undefined ? 'must hold true, false, 1 or 0' : undefined
  }
}

const matchers = new WeakMap<Restriction, Matcher>()

/** Whether `allowed` holds a text that has the resource's format; an empty list allows all. */
export function isAllowed(resource: Restriction, text: string): boolean {
  if (resource.allowed.length === 0) return true
  let matcher = matchers.get(resource)
  if (matcher === undefined) {
    matcher = matcherOf(resource)
    matchers.set(resource, matcher)
  }
  return matcher(text)
}

function matcherOf({ format, allowed }: Restriction): Matcher {
  switch (format) {
    case 'string': {
      const literals = new Set(allowed)
      return (text) => literals.has(text)
    }
    case 'number': {
      const ranges = allowed.map(numericItem).filter((one) => one !== undefined)
      return (text) => {
        const value = numberOf(text) ?? Number.NaN
        return ranges.some(({ from, to }) => from <= value && value <= to)
      }
    }
    case 'boolean': {
      const booleans = new Set(allowed.map(booleanOf))
      return (text) => booleans.has(booleanOf(text))
    }
  }
}
