import { strict as assert } from 'node:assert'
import type { Check } from './tree.ts'

/** A tree in memory: what each file holds, as text or as lines. */
export type Planted = Readonly<Record<string, string | readonly string[]>>

function tree(files: Planted): Map<string, string> {
  return new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      typeof text === 'string' ? text : `${text.join('\n')}\n`,
    ]),
  )
}

/** Asserts that the check finds the planted faults, named as `file:line message`, and no others. */
export function assertFinds(check: Check, files: Planted, ...faults: string[]): void {
  const found = check(tree(files)).map((one) => `${one.file}:${one.line} ${one.message}`)
  assert.deepEqual(found.sort(), faults.sort())
}

/** Asserts that the same check is content with a tree that keeps the rule. */
export function assertClean(check: Check, files: Planted): void {
  assertFinds(check, files)
}
