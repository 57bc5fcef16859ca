import { limits } from '../../../foundation/kernel/thread/index.ts'
/**
 * A value that crosses between a script and the platform. A Lua string that is UTF-8 is a `string`,
 * any other is its bytes; both ways bytes are exact. A table with holes or mixed keys comes as an
 * object with string keys. Objects have no prototype that a key could reach.
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
 * A failure as a script, and whoever called it, sees it: returned, never thrown. `QueryError` for
 * what the caller did wrong (status below 500), `ServerError` for the rest.
 */
export type ScriptError = {
  readonly type: string
  readonly error: string
  readonly status: number
}

type Budget = { nodes: number; bytes: number }

/**
 * Returns whether a value is small enough to cross into a worker: a huge one could block the main
 * thread, or end the process. Bytes are about those of its JSON.
 * @returns the sentence of what is too much.
 */
export function sizeProblem(value: ScriptValue, bytesMax: number): string | undefined {
  const budget = { nodes: limits.scriptValueNodesMax, bytes: bytesMax }
  return spend(value, budget, limits.scriptValueDepthMax, bytesMax)
}

function spend(
  value: ScriptValue,
  budget: Budget,
  depth: number,
  bytesMax: number,
): string | undefined {
  budget.nodes -= 1
  if (budget.nodes < 0) return `It holds more than ${limits.scriptValueNodesMax} values.`
  budget.bytes -= countBytes(value)
  if (budget.bytes < 0) return `It is longer than ${bytesMax} bytes.`
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined
  if (depth === 0) return `It is nested deeper than ${limits.scriptValueDepthMax}.`
  if (Array.isArray(value)) {
    for (const one of value as readonly ScriptValue[]) {
      const refused = spend(one, budget, depth - 1, bytesMax)
      if (refused !== undefined) return refused
    }
    return undefined
  }
  const fields = value as Readonly<Record<string, ScriptValue>>
  for (const key in fields) {
    budget.bytes -= key.length
    const refused = spend(fields[key], budget, depth - 1, bytesMax)
    if (refused !== undefined) return refused
  }
  return undefined
}

const otherBytes = 4

function countBytes(value: ScriptValue): number {
  if (typeof value === 'string') return value.length + 2
  return value instanceof Uint8Array ? value.byteLength + 2 : otherBytes
}
