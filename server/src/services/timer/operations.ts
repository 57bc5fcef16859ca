import type { Database } from '../../database/index.ts'
import {
  type Clock,
  Fault,
  type Json,
  limits,
  namedArguments,
  newId,
  type Random,
} from '../../kernel/index.ts'
import type { Operation, Scripting, ServiceCall } from '../../scripting/index.ts'
import { asDuration, asMessage, asText, asTimerId } from './arguments.ts'
import { checkSchedule } from './repetition.ts'
import { countTimers, deleteTimer, deleteTimers, putTimer } from './store.ts'
import type { Repetition } from './timer.ts'

export type OperationsNeeds = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly solutions: Pick<Scripting['solutions'], 'get'>
  /** There may be something due sooner. */
  readonly wake: () => void
}

/** The operations of the timer service. A timer that is set again is replaced. */
export function createOperations(needs: OperationsNeeds): Readonly<Record<string, Operation>> {
  const { database, clock } = needs
  return {
    async sendAfter(call, args) {
      const given = namedArguments(args, ['message', 'duration', 'timer_id'])
      const dueAt = clock.nowUs() + asDuration(given.duration, 0)
      return put(needs, call, { ...given, dueAt, repeats: undefined })
    },
    async sendInterval(call, args) {
      const given = namedArguments(args, ['message', 'duration', 'timer_id'])
      const everyUs = asDuration(given.duration, limits.timerEveryMsMin)
      const repeats = { kind: 'interval', everyUs } as const
      return put(needs, call, { ...given, dueAt: clock.nowUs() + everyUs, repeats })
    },
    async schedule(call, args) {
      const given = namedArguments(args, ['message', 'schedule', 'timezone', 'timer_id'])
      const schedule = asText(given.schedule, 'schedule')
      const timezone = asText(given.timezone ?? 'UTC', 'timezone')
      const dueAt = checkSchedule(schedule, timezone, clock.nowUs())
      return put(needs, call, {
        ...given,
        dueAt,
        repeats: { kind: 'schedule', schedule, timezone },
      })
    },
    async cancel({ solutionId }, args) {
      const timerId = asTimerId(namedArguments(args, ['timer_id']).timer_id)
      if ((await deleteTimer(database, solutionId, timerId)) > 0) return {}
      throw new Fault('not_found', 'the solution has no such timer')
    },
    async cancelAll({ solutionId }, args) {
      namedArguments(args, [])
      return { cancelled: await deleteTimers(database, solutionId) }
    },
  }
}

type Put = {
  readonly message?: unknown
  readonly timer_id?: unknown
  readonly dueAt: number
  readonly repeats: Repetition | undefined
}

/** @throws Fault too_large if the solution has too many already. */
async function put(
  needs: OperationsNeeds,
  { businessId, solutionId, alias }: ServiceCall,
  { message, timer_id, dueAt, repeats }: Put,
): Promise<{ timer_id: string }> {
  const { database, random, wake } = needs
  const timerId = timer_id === undefined ? newId(random) : asTimerId(timer_id)
  const timer = {
    ...{ businessId, solutionId, timerId, alias: alias.toLowerCase(), dueAt, repeats },
    message: bounded(asMessage(message)),
  }
  await database.transaction(async (transaction) => {
    if ((await countTimers(transaction, solutionId, timerId)) >= limits.timersMax) {
      throw new Fault('too_large', `a solution may have ${limits.timersMax} timers`)
    }
    await putTimer(transaction, timer, needs.clock.nowUs())
  })
  await refuseGone(needs, businessId, solutionId)
  wake()
  return { timer_id: timerId }
}

function bounded(message: Json): Json {
  if (Buffer.byteLength(JSON.stringify(message)) <= limits.timerMessageBytesMax) return message
  throw new Fault('too_large', `message may be ${limits.timerMessageBytesMax} bytes`)
}

/** A solution that was removed while its script ran leaves no timer behind. */
async function refuseGone(
  { database, solutions }: OperationsNeeds,
  businessId: string,
  solutionId: string,
): Promise<void> {
  try {
    await solutions.get(businessId, solutionId)
  } catch (error) {
    if (error instanceof Fault && error.code === 'not_found') {
      await deleteTimers(database, solutionId)
    }
    throw error
  }
}
