import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../../kernel/index.ts'

/** Looks again and again until something is seen; undefined when the time has passed. */
export async function poll<Seen>(
  look: () => Promise<Seen | undefined>,
  msMax: number,
): Promise<Seen | undefined> {
  const over = AbortSignal.timeout(msMax)
  for (;;) {
    const seen = await look()
    if (seen !== undefined || over.aborted) return seen
    await delay(limits.enginePollMs)
  }
}
