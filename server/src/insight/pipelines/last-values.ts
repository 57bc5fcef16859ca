import { type Clock, presentUntil } from '../../foundation/kernel/index.ts'
import { wholeView } from '../../people/groups/index.ts'
import type { Assets, Value } from '../assets/index.ts'

/** Last values of inlets that are cached for functions with several inlets. */
const inletValuesRememberedMax = 100_000

/** Reads what is stored of signals. */
export type StoredValues = Pick<Assets, 'history'> & {
  /** The last values of those of these signals that have one. */
  latest(businessId: string, signalIds: readonly string[]): Promise<ReadonlyMap<string, Value>>
}

/** A last value, with the place that it came from where that is known. */
export type Last = Value & { readonly origin?: string }

/**
 * The last values of signals, as one reader of the log knows them. The other consumer may be
 * behind this one or ahead of it, so what was read here is remembered, and of that and of what is
 * stored the newer counts.
 */
export type LastValues = {
  /** Returns the values that a batch reads and changes; nothing else changes until it is kept. */
  begin(): BatchValues
}

export type BatchValues = {
  /** Takes what is stored of these signals from before a time: what came then is not yet read. */
  load(businessId: string, signalIds: readonly string[], before: number): Promise<void>
  get(signalId: string): Last | undefined
  /** Takes a value, where it is not older than the one known. */
  take(signalId: string, last: Last): void
  /** Returns a copy, to be changed and kept in place of this one. */
  fork(): BatchValues
  /** The batch was stored: what it took is remembered. A batch that runs again begins anew. */
  keep(): void
}

export function createLastValues(stored: StoredValues, clock: Pick<Clock, 'nowUs'>): LastValues {
  const known = new Map<string, Last>()
  const begin = () => beginBatch(stored, known, presentUntil(clock.nowUs()), new Map())
  return { begin }
}

function beginBatch(
  stored: StoredValues,
  known: Map<string, Last>,
  presentUntilUs: number,
  own: Map<string, Last>,
): BatchValues {
  const get = (signalId: string) => own.get(signalId) ?? known.get(signalId)

  function take(signalId: string, last: Last): void {
    const before = get(signalId)
    // A value of the future was stamped by a clock that ran ahead.
    const old = before === undefined || before.ts <= last.ts || before.ts > presentUntilUs
    if (old) own.set(signalId, last)
  }

  /** The other consumer is ahead: what is latest there comes later here. */
  async function earlier(businessId: string, signalId: string, to: number) {
    if (get(signalId) !== undefined) return undefined
    const [value] = await stored.history(wholeView(businessId), signalId, {
      to,
      limit: 1,
      order: 'desc',
    })
    return value
  }

  return {
    get,
    take,
    async load(businessId, signalIds, before) {
      for (const [signalId, latest] of await stored.latest(businessId, signalIds)) {
        const value = latest.ts < before ? latest : await earlier(businessId, signalId, before)
        // If both have the same value, the one that was read here has more: its origin.
        if (value !== undefined && get(signalId)?.ts !== value.ts) take(signalId, value)
      }
    },
    fork: () => beginBatch(stored, known, presentUntilUs, new Map(own)),
    keep() {
      for (const [signalId, last] of own) {
        known.delete(signalId)
        known.set(signalId, last)
      }
      for (const oldest of known.keys()) {
        if (known.size <= inletValuesRememberedMax) break
        known.delete(oldest)
      }
    },
  }
}
