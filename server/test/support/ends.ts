import type { TestContext } from 'node:test'

type Context = Pick<TestContext, 'after'>

const stacks = new WeakMap<Context, (() => unknown)[]>()

/**
 * Ends something after the test, what came last first: a log before the database that it writes
 * to. (`t.after` alone runs hooks in the order in which they were given.)
 */
export function atEnd(t: Context, end: () => unknown): void {
  const known = stacks.get(t)
  if (known !== undefined) {
    known.push(end)
    return
  }
  const stack = [end]
  stacks.set(t, stack)
  t.after(async () => {
    for (const one of stack.reverse()) await one()
  })
}
