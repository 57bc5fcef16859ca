import type { TSchema } from '../../kernel/index.ts'

type Convert = (value: unknown) => unknown

/**
 * The conversion of a query's texts to what its schema has: digits to a whole number, `true` and
 * `false`, and a list with commas between its items. An empty parameter counts as left out. A text
 * that is none of these stays, for the refusal to name.
 */
export function convertQuery(schema: TSchema): Convert {
  const { properties = {} } = schema as { properties?: Record<string, Field> }
  const converts = new Map(
    Object.entries(properties).map(([name, field]) => [name, conversions[typeOf(field)]] as const),
  )
  return (query) => {
    const entries = Object.entries(query as Record<string, unknown>)
    const given = entries.filter(([, value]) => value !== '')
    return Object.fromEntries(
      given.map(([name, value]) => [name, converts.get(name)?.(value) ?? value]),
    )
  }
}

type Field = { readonly type?: string; readonly anyOf?: readonly Field[] }

/** The type of a field, or the first one of those that it may have. */
function typeOf({ type, anyOf: [first] = [] }: Field): string {
  return type ?? (first === undefined ? '' : typeOf(first))
}

const conversions: Readonly<Record<string, Convert>> = {
  integer: (text) => (typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  array: (text) => (typeof text === 'string' ? text.split(',').map((item) => item.trim()) : text),
}
