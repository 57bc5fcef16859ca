import { after } from 'node:test'

/**
 * What a suite's `before` hands to the support functions in place of a test's context: their ends
 * run once, after the suite's last test, what came last first. To be called while the suite is
 * being described.
 */
export function suiteContext(): { after(end: () => unknown): void } {
  const ends: (() => unknown)[] = []
  after(async () => {
    for (const end of ends.reverse()) await end()
  })
  return { after: (end) => void ends.push(end) }
}
