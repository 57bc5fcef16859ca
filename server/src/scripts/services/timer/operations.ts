import type { Database } from '../../../foundation/database/index.ts'
import {
  AnyValue,
  type Clock,
  defineOperations,
  EmptyObject,
  Fault,
  type Implementation,
  type Json,
  newId,
  type Random,
  StrictObject,
  Type,
  toJson,
} from '../../../foundation/kernel/index.ts'
import type { Scripting, ScriptValue, ServiceCall } from '../../scripting/index.ts'
import { timerLimits } from './limits.ts'
import { checkSchedule } from './repetition.ts'
import { scheduledPrefix } from './settings.ts'
import { countTimers, deleteByPrefix, deleteTimer, deleteTimers, putTimer } from './store.ts'
import type { Repetition } from './timer.ts'

const timerId = Type.String({
  description: 'The id of the timer. A timer that is set again under its id is replaced.',
  pattern: String.raw`^[\w.:\-]+$`,
  maxLength: timerLimits.timerIdCharsMax,
  numberAsText: true,
  rule: `must be letters, digits, _ . : - and at most ${timerLimits.timerIdCharsMax} of them`,
})

const common = {
  message: Type.Optional(
    AnyValue<ScriptValue>({ description: 'The message for the handler: any JSON value.' }),
  ),
  timer_id: Type.Optional(timerId),
}

const result = StrictObject({ timer_id: Type.String({ description: 'The id, given or made.' }) })

function duration(minimum: number, description: string) {
  return Type.Number({
    description,
    minimum,
    maximum: timerLimits.timerMsMax,
    digitsAsNumber: true,
    rule: `must be ${minimum} to ${timerLimits.timerMsMax} milliseconds`,
  })
}

function text(description: string, more: { readonly default?: string } = {}) {
  const { timerIdCharsMax: maxLength } = timerLimits
  return Type.String({ description, minLength: 1, maxLength, rule: 'must be a text', ...more })
}

export const timerOperations = defineOperations(() => ({
  sendAfter: {
    description: 'Calls the handler once, after a time.',
    args: StrictObject({ duration: duration(0, 'The time, in milliseconds.'), ...common }),
    result,
  },
  sendInterval: {
    description: 'Calls the handler again and again, at an interval.',
    args: StrictObject({
      duration: duration(timerLimits.timerEveryMsMin, 'The interval, in milliseconds.'),
      ...common,
    }),
    result,
  },
  schedule: {
    description: 'Calls the handler at the times of a cron expression.',
    args: StrictObject({
      schedule: text('Five fields of cron, or six with seconds first.'),
      timezone: text('The time zone of the schedule, by its name.', { default: 'UTC' }),
      ...common,
    }),
    result,
  },
  cancel: {
    description: 'Removes a timer.',
    args: StrictObject({ timer_id: timerId }),
    result: EmptyObject(),
  },
  cancelAll: {
    description: 'Removes all timers of the solution, but not those of its settings.',
    args: StrictObject({}),
    result: StrictObject({ cancelled: Type.Integer({ description: 'How many there were.' }) }),
  },
}))

export type OperationsOptions = {
  readonly database: Database
  readonly clock: Clock
  readonly random: Random
  readonly solutions: Pick<Scripting['solutions'], 'get'>
  /** Makes the poll loop look: a timer may be due sooner. */
  readonly wake: () => void
}

/** The operations of the timer service. A timer that is set again is replaced. */
export function createOperations(
  options: OperationsOptions,
): Implementation<ServiceCall, typeof timerOperations.schemas> {
  const { database, clock } = options
  return {
    async sendAfter(call, args) {
      const dueAt = clock.nowUs() + microseconds(args.duration)
      return put(options, call, args, { dueAt, repeats: undefined })
    },
    async sendInterval(call, args) {
      const everyUs = microseconds(args.duration)
      const dueAt = clock.nowUs() + everyUs
      return put(options, call, args, { dueAt, repeats: { kind: 'interval', everyUs } })
    },
    async schedule(call, args) {
      const { schedule, timezone } = args
      const dueAt = checkSchedule(schedule, timezone, clock.nowUs())
      return put(options, call, args, { dueAt, repeats: { kind: 'schedule', schedule, timezone } })
    },
    async cancel({ solutionId }, { timer_id }) {
      if ((await deleteTimer(database, solutionId, timer_id)) > 0) return {}
      throw new Fault('not_found', 'the solution has no such timer')
    },
    async cancelAll({ solutionId }) {
      return { cancelled: await deleteByPrefix(database, solutionId, scheduledPrefix, false) }
    },
  }
}

function microseconds(ms: number): number {
  return Math.round(ms * 1_000)
}

type Given = { readonly message?: ScriptValue; readonly timer_id?: string }
type Times = { readonly dueAt: number; readonly repeats: Repetition | undefined }

/** @throws Fault too_large if the solution has too many already. */
async function put(
  options: OperationsOptions,
  { businessId, solutionId, alias }: ServiceCall,
  { message, timer_id: timerId = newId(options.random) }: Given,
  { dueAt, repeats }: Times,
): Promise<{ timer_id: string }> {
  const { database, clock, wake } = options
  const timer = {
    businessId,
    solutionId,
    timerId,
    alias: alias.toLowerCase(),
    dueAt,
    repeats,
    message: readMessage(message),
  }
  await database.transaction(async (transaction) => {
    if ((await countTimers(transaction, solutionId, timerId)) >= timerLimits.timersMax) {
      throw new Fault('too_large', `a solution may have ${timerLimits.timersMax} timers`)
    }
    await putTimer(transaction, timer, clock.nowUs())
  })
  await refuseGone(options, businessId, solutionId)
  wake()
  return { timer_id: timerId }
}

/** @throws Fault invalid_argument for bytes, which JSON cannot have; too_large */
function readMessage(value: ScriptValue): Json {
  const message = toJson(
    value,
    () => new Fault('invalid_argument', 'message holds bytes that are not UTF-8'),
  )
  if (Buffer.byteLength(JSON.stringify(message)) <= timerLimits.timerMessageBytesMax) return message
  throw new Fault('too_large', `message may be ${timerLimits.timerMessageBytesMax} bytes`)
}

/** A solution that was removed while its script ran leaves no timer behind. */
async function refuseGone(
  { database, solutions }: OperationsOptions,
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
