import { PollLoop } from '../../../foundation/kernel/index.ts'
import type { AssetsOptions } from '../options.ts'
import { keepLooks, type Look, takeDueLooks, type WatchedSignal } from '../store/timeouts.ts'
import { timeoutCategory, timeoutLevel } from '../types.ts'
import type { LevelChange, StatusEvents } from './status-events.ts'

/** The interval at which a process looks for signals that fell silent, or spoke again. */
const timeoutPollMs = 1_000
/** Signals that are looked at in one transaction. */
const timeoutBatchMax = 500

/*
 * Records when signals fall silent, and when they speak again. The silence of a signal follows from
 * the time of its last value, its timeout and the clock. The row of a signal stores the moment at
 * which to look again, at the latest one timeout later, and the last value of a silence that was
 * recorded, in the transaction of its event: each is recorded once, by whichever process looks
 * first. A value of a signal that is silent makes it due at once.
 */

export type Timeouts = {
  /** Polls every `timeoutPollMs` from now on; to be called once. */
  startPolling(): void
  /** Records what began and ended by now. */
  look(): Promise<void>
  stop(): Promise<void>
}

type TimeoutsOptions = Pick<AssetsOptions, 'database' | 'clock' | 'logger'> & {
  readonly statusEvents: StatusEvents
}

const usPerMs = 1_000

export function createTimeouts(options: TimeoutsOptions): Timeouts {
  let stopped = false
  const look = async () => {
    const nowUs = options.clock.nowUs()
    while (!stopped && (await lookAtSome(options, nowUs)) === timeoutBatchMax);
  }
  const loop = new PollLoop({
    look,
    failed: (error) => options.logger.warn({ err: error }, 'timeout poll failed; retrying'),
    pollMs: timeoutPollMs,
  })
  return {
    startPolling: () => loop.startLater(),
    look,
    async stop() {
      stopped = true
      await loop.stop()
    },
  }
}

/** @returns how many signals were due. */
function lookAtSome({ database, statusEvents }: TimeoutsOptions, nowUs: number): Promise<number> {
  return database.transaction(async (transaction) => {
    const due = await takeDueLooks(transaction, nowUs, timeoutBatchMax)
    const looks = due.map((signal) => lookAt(signal, nowUs))
    await keepLooks(transaction, looks)
    const changes = looks.flatMap(({ signal, isSilent, ts }) => {
      if (isSilent === (signal.silentFrom !== null)) return []
      return [makeChange(signal, isSilent, ts)]
    })
    await statusEvents.record(transaction, changes)
    return due.length
  })
}

/** Returns whether a signal is silent now, since when, and when to look again. Pure. */
export function lookAt(signal: WatchedSignal, nowUs: number): Look {
  const { timeoutMs, silentFrom, lastTs } = signal
  if (timeoutMs === null) return { signal, isSilent: false, ts: nowUs, nextUs: null }
  const timeoutUs = timeoutMs * usPerMs
  // A value of the future was stamped by a clock that ran ahead: an earlier one may follow it.
  const latestUs = nowUs + timeoutUs
  if (lastTs === null) return { signal, isSilent: false, ts: nowUs, nextUs: latestUs }
  const silentAtUs = lastTs + timeoutUs
  if (silentAtUs < nowUs) return { signal, isSilent: true, ts: silentAtUs, nextUs: latestUs }
  const ts = silentFrom === null ? lastTs : Math.max(lastTs, silentFrom + timeoutUs)
  return { signal, isSilent: false, ts, nextUs: Math.min(silentAtUs, latestUs) + 1 }
}

function makeChange(signal: WatchedSignal, isSilent: boolean, ts: number): LevelChange {
  const { businessId, assetId, signalId } = signal
  const [level, previous] = isSilent ? [timeoutLevel, 0 as const] : [0 as const, timeoutLevel]
  const category = timeoutCategory
  return {
    businessId,
    assetId,
    signalId,
    ruleId: null,
    category,
    type: category,
    ts,
    level,
    previous,
  }
}
