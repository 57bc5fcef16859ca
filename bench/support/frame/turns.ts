import { setImmediate } from 'node:timers/promises'
import { threadMs } from '../../../server/src/foundation/kernel/index.ts'

/**
 * The CPU in milliseconds of the longest turn of the event loop while some work is done, and the
 * error if the work fails: a refusal takes time, too.
 */
export async function longestTurnMs(
  work: () => unknown,
): Promise<readonly [longest: number, error?: unknown]> {
  let [longest, last] = [0, threadMs()]
  let outcome: { readonly error?: unknown } | undefined
  async function run(): Promise<void> {
    try {
      await work()
      outcome = {}
    } catch (error) {
      outcome = { error }
    }
  }
  const running = run()
  // Work that is refused at once is over here.
  do {
    await setImmediate()
    const now = threadMs()
    longest = Math.max(longest, now - last)
    last = now
  } while (outcome === undefined)
  await running
  return [longest, outcome.error]
}
