import { PollLoop } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import type { ProvisioningOptions } from '../options.ts'
import { markExpired } from '../store/expiry.ts'

/** The interval at which a process records activation windows that closed. */
const windowSweepMs = 1_000

/*
 * Logs that a window closed. An identity's status follows from its deadline and the clock; the
 * entry is for scripts and operators. The logged deadline is stored with the identity, in the
 * transaction of the entry: each window is logged once, by whichever process sees it first, and a
 * window that is opened again is another one.
 */

export type Expiry = {
  /** Polls every `windowSweepMs` from now on; to be called once. */
  startPolling(): void
  close(): Promise<void>
}

type ExpiryOptions = Pick<ProvisioningOptions, 'database' | 'eventlog' | 'clock' | 'logger'>

export function createExpiry(options: ExpiryOptions): Expiry {
  const loop: PollLoop = new PollLoop({
    async look() {
      while (!loop.stopped && (await logExpired(options)) === provisioningLimits.windowSweepMax);
    },
    failed: (error) =>
      options.logger.warn({ err: error }, 'logging closed windows failed; retrying'),
    pollMs: windowSweepMs,
  })
  return { startPolling: () => loop.startLater(), close: () => loop.stop() }
}

/** @returns how many were logged. */
async function logExpired({ database, eventlog, clock }: ExpiryOptions): Promise<number> {
  return database.transaction(async (transaction) => {
    const at = clock.nowUs()
    const passed = await markExpired(transaction, at, provisioningLimits.windowSweepMax)
    const entries = passed.map((one) => ({ ...one, at, kind: 'expired' as const, body: {} }))
    await eventlog.appendIn(transaction, entries)
    return passed.length
  })
}
