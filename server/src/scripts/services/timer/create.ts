import type { Transaction } from '../../../foundation/database/index.ts'
import { implement, PollLoop, presentUntil } from '../../../foundation/kernel/index.ts'
import type { Service } from '../../scripting/index.ts'
import { timerLimits } from './limits.ts'
import { createOperations, timerOperations } from './operations.ts'
import { nextTime } from './repetition.ts'
import { configureTimers, removeScheduled, timerSettings } from './settings.ts'
import {
  deleteTimer,
  nextDue,
  putTimer,
  readTimerCount,
  removeSolution,
  takeAhead,
  takeDue,
} from './store.ts'
import type { Timer, Timers, TimersOptions } from './timer.ts'

/** Due timers in one transaction; more follow at once. */
const timerBatchMax = 200

/**
 * A timer's call becomes a delivery in the transaction that removes the timer, or moves it to its
 * next time: once, however many processes look, and whenever one of them dies. A timer that became
 * due while no process ran comes once, at the start.
 */
export function createTimers(options: TimersOptions): Timers {
  const { database, clock, logger } = options
  let running = false
  let stopListening = () => {}
  const loop = new PollLoop({
    async look(dueIn) {
      await fireAll(options)
      const due = await nextDue(database)
      if (due !== undefined) dueIn(Math.max(1, (due - clock.nowUs()) / 1_000))
    },
    failed: (error) => logger.warn({ err: error }, 'timer poll failed; retrying'),
    pollMs: timerLimits.timerPollMs,
    pauseMs: 0,
  })
  const wake = () => {
    loop.notify()
    // Another process may be the one that fires timers.
    if (!running) database.hints.notify('timers', 'any')
  }
  const operations = createOperations({ ...options, wake })

  return {
    service: makeService(options, wake, implement(timerOperations, operations)),
    start() {
      if (running) return
      running = true
      stopListening = database.hints.listen('timers', () => loop.notify())
      void loop.run()
    },
    fire: () => fireAll(options),
    async stop() {
      stopListening()
      await loop.stop()
    },
  }
}

function makeService(
  { database, clock }: TimersOptions,
  wake: () => void,
  operation: Service['operation'],
): Service {
  return {
    name: 'timer',
    always: true,
    events: [{ name: 'timer', title: 'request' }],
    operation,
    settings: timerSettings,
    configure: async (input) => configureTimers(clock, input),
    async onConfigurationChange({ kind, configuration: { solutionId } }) {
      if (kind === 'removed') await removeScheduled(database, solutionId)
      else wake()
    },
    removeIn: removeSolution,
    usage: async (solutionId) => [
      {
        limit: 'timersMax',
        used: await readTimerCount(database, solutionId),
        max: timerLimits.timersMax,
      },
    ],
  }
}

async function fireAll(options: TimersOptions): Promise<void> {
  while ((await fireSome(options)) === timerBatchMax) {
    // There is more.
  }
}

/** @returns how many were due. */
function fireSome({ database, deliveries, clock }: TimersOptions): Promise<number> {
  return database.transaction(async (transaction) => {
    const nowUs = clock.nowUs()
    await setAnew(transaction, nowUs)
    const due = await takeDue(transaction, nowUs, timerBatchMax)
    await deliveries.addIn(transaction, due.map(toCall))
    for (const timer of due) await advance(transaction, timer, nowUs)
    return due.length
  })
}

async function advance(transaction: Transaction, timer: Timer, nowUs: number): Promise<void> {
  const { solutionId, timerId, repeats, dueAt } = timer
  const next = repeats === undefined ? undefined : nextTime(repeats, dueAt, nowUs)
  if (next === undefined) await deleteTimer(transaction, solutionId, timerId)
  else await putTimer(transaction, { ...timer, dueAt: next }, nowUs)
}

/** Treats a time set by a fast clock as now; else the timer would wait until that time. */
async function setAnew(transaction: Transaction, nowUs: number): Promise<void> {
  const ahead = await takeAhead(transaction, presentUntil(nowUs), timerBatchMax)
  for (const { putAt, ...timer } of ahead) {
    const { repeats, dueAt } = timer
    const afterUs = Math.max(0, dueAt - putAt)
    const next = repeats === undefined ? nowUs + afterUs : nextTime(repeats, nowUs, nowUs)
    await putTimer(transaction, { ...timer, dueAt: next ?? dueAt }, nowUs)
  }
}

function toCall({ businessId, solutionId, timerId, alias, message }: Timer) {
  return {
    businessId,
    solutionId,
    service: alias,
    event: 'timer',
    argument: { message, timer_id: timerId, solution_id: solutionId },
  }
}
