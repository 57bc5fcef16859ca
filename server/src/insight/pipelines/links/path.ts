import type { JsonValue } from '@millrace/insight-sdk/protocol'

type Step = string | number

/** A step of a path: `.name`, `[0]` or `['any name']`. */
const step = /\.([\p{L}_][\p{L}\p{N}_-]*)|\[(\d{1,9})\]|\['([^']+)'\]/uy

/** Reads a path into a JSON value, such as `$.list[0].name`; undefined if it is none. */
export function parsePath(text: string): readonly Step[] | undefined {
  const steps: Step[] = []
  const rest = text.startsWith('$') ? text.slice(1) : `.${text}`
  step.lastIndex = 0
  while (step.lastIndex < rest.length) {
    const found = step.exec(rest)
    if (found === null) return undefined
    const [, name, index, quoted] = found
    steps.push(index === undefined ? (name ?? quoted ?? '') : Number(index))
  }
  return steps
}

/** Returns the value at a path; undefined if there is none. */
export function valueAtPath(
  value: JsonValue | undefined,
  steps: readonly Step[],
): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    if (Array.isArray(inner) !== (typeof key === 'number')) return undefined
    return (inner as Readonly<Record<Step, JsonValue>>)[key]
  }, value)
}
