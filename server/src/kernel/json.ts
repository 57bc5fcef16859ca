/** Any value that JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a text holds, or undefined where it holds anything else. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * A script's value as JSON can say it: nothing and what is no finite number are null.
 * @throws what `refused` makes, where it holds bytes that are no UTF-8.
 */
export function jsonOf(value: unknown, refused: () => Error): Json {
  if (value instanceof Uint8Array) throw refused()
  if (Array.isArray(value)) return value.map((inner) => jsonOf(inner, refused))
  if (isJsonObject(value)) {
    const pairs = Object.entries(value).map(
      ([key, inner]) => [key, jsonOf(inner, refused)] as const,
    )
    return Object.fromEntries(pairs)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  return (value ?? null) as Json
}
