// @ts-expect-error: it brings no types.
import * as yaml from 'js-yaml'

/** The parts of js-yaml in use; the server reads the same files with it. */
const { CORE_SCHEMA, load } = yaml as {
  readonly CORE_SCHEMA: object
  load(text: string, options: { readonly schema: object }): unknown
}

/** More than a file has that a person wrote. */
const valuesMax = 1_000_000

/**
 * Parses a text of YAML 1.2 or JSON; undefined if it holds nothing.
 * @throws Error whose message names the line and the column.
 */
export function parseYaml(text: string): unknown {
  const value = load(text, { schema: CORE_SCHEMA })
  refuseTooMany(value)
  return value
}

/** Aliases of values with aliases make a small file a large value, or one without an end. */
function refuseTooMany(value: unknown): void {
  const open = [value]
  for (let count = 0; open.length > 0; count += 1) {
    if (count > valuesMax) throw new Error('it has values that are too many, or circular')
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    for (const inner of Object.values(next)) open.push(inner)
  }
}
