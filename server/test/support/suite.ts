import { after } from 'node:test'

let openSuites = 0
let last: (() => unknown) | undefined

/**
 * What a suite's `before` hands to the support functions in place of a test's context: their ends
 * run once, after the suite's last test, what came last first. To be called while the suite is
 * being described.
 */
export function suiteContext(): { after(end: () => unknown): void } {
  const ends: (() => unknown)[] = []
  openSuites += 1
  after(async () => {
    for (const end of ends.reverse()) await end()
    openSuites -= 1
    if (openSuites === 0) await last?.()
  })
  return { after: (end) => void ends.push(end) }
}

/**
 * Ends what all suites stand on, after the last test of all files. Hooks of files run in the order
 * in which they were given: a suite that is a whole file ends after a hook of what it imports.
 */
export function afterAllSuites(end: () => unknown): void {
  after(async () => {
    if (openSuites === 0) await end()
    else last = end
  })
}
