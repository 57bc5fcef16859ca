/**
 * What crosses between a script and the platform. A Lua string that is UTF-8 is a `string`, any
 * other is its bytes; both ways bytes are exact. Where a script gives a table with holes or mixed
 * keys it comes as an object with string keys. Objects have no prototype that a key could reach.
 */
export type ScriptValue =
  | undefined
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | readonly ScriptValue[]
  | { readonly [key: string]: ScriptValue }

/**
 * How a failure looks to a script, and to whoever called it: returned, never thrown. `QueryError`
 * for what the caller did wrong (status below 500), `ServerError` for the rest.
 */
export type ScriptError = {
  readonly type: string
  readonly error: string
  readonly status: number
}
