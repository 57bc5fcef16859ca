import { limits } from '../../kernel/index.ts'
import type { ProvisioningOptions } from '../options.ts'
import { type Repeated, repeat } from '../repeat.ts'
import { markExpired } from '../store/expiry.ts'

/*
 * That a window closed. An identity's status says so by itself, from its deadline and the clock;
 * the log has to be told, so that scripts and operators hear of it. The deadline that was told is
 * kept with the identity, in the transaction of the entry: each window is told once, whichever
 * process sees it first, and a window that is opened anew is another one.
 */

export type Expiry = {
  /** Looks every `limits.windowSweepMs` from now on; to be called once. */
  startPolling(): void
  close(): Promise<void>
}

type Needs = Pick<ProvisioningOptions, 'database' | 'eventlog' | 'clock' | 'logger'>

export function createExpiry(needs: Needs): Expiry {
  let following: Repeated | undefined
  let closed = false

  async function logAllExpired(): Promise<void> {
    try {
      while (!closed && (await logExpired(needs)) === limits.windowSweepMax);
    } catch (error) {
      needs.logger.warn({ err: error }, 'windows that closed could not be told yet')
    }
  }

  return {
    startPolling() {
      following = repeat(limits.windowSweepMs, logAllExpired)
    },
    async close() {
      closed = true
      await following?.stop()
    },
  }
}

/** @returns how many were told. */
async function logExpired({ database, eventlog, clock }: Needs): Promise<number> {
  return database.transaction(async (transaction) => {
    const at = clock.nowUs()
    const passed = await markExpired(transaction, at, limits.windowSweepMax)
    const entries = passed.map((one) => ({ ...one, at, kind: 'expired' as const, body: '{}' }))
    await eventlog.appendIn(transaction, entries)
    return passed.length
  })
}
