import { elapsedMs, Fault, limits } from '../../kernel/index.ts'
import type {
  Configuration,
  HandlerCall,
  ScriptingApi,
  ScriptValue,
  ServiceCall,
} from '../../scripting/index.ts'
import type { Trigger } from './arguments.ts'
import type { Mode } from './definition.ts'
import { refusals } from './errors.ts'
import { type Exposed, mayUse } from './exposed.ts'
import { checkValue } from './schema/check.ts'
import type { Subscribers } from './subscribers.ts'
import { type Answered, answeredWith, answerOf } from './values.ts'

/** A trigger on its way: who triggers, what, and how. */
type Going = {
  readonly exposed: Exposed
  readonly call: ServiceCall
  readonly trigger: Trigger
  readonly mode: Mode
  /** The trigger's data, with the defaults of the event's schema. */
  readonly data: ScriptValue
  readonly untilMs: number
}

/** What came of it at one subscriber. */
type Item = {
  readonly result?: ScriptValue
  /** Only where the subscriber was waited for. */
  readonly status?: number
  readonly instance_id: string
  readonly solution_id: string
}

/**
 * Tells all subscribers that may still use the service: oldest first, many at once.
 * @returns an item for each; results that are too large together are errors, the largest first
 */
export async function trigger(
  scripts: ScriptingApi,
  exposed: Exposed,
  call: ServiceCall,
  asked: Trigger,
): Promise<Item[]> {
  const going = goingOf(exposed, call, asked, 'async')
  const items: Item[] = []
  let offset = 0
  for (;;) {
    const page = await scripts.configurations.ofService(exposed.solutionId, {
      offset,
      limit: limits.triggerBatchMax,
    })
    const targets = page.items.filter((one) => isAllowed(exposed, one))
    items.push(...(await sendAll(scripts, going, targets)))
    offset += limits.triggerBatchMax
    if (offset >= page.total || offset >= limits.subscribersMax) return fitting(items, call)
  }
}

/**
 * Tells one subscriber. @returns what its handler returned; nil where nobody waits for that.
 * @throws Fault not_found
 */
export async function triggerOne(
  { scripts, subscribers }: { scripts: ScriptingApi; subscribers: Subscribers },
  exposed: Exposed,
  call: ServiceCall,
  asked: Trigger & { readonly target: string },
): Promise<ScriptValue> {
  const going = goingOf(exposed, call, asked, 'sync')
  const target = await subscribers.find(exposed, asked.target)
  if (target === undefined || !isAllowed(exposed, target)) throw refusals.noTarget()
  if (going.mode === 'sync') return (await run(scripts, going, target)).value
  await scripts.deliveries.add([handlerCall(going, target)])
  return undefined
}

/** A business that was taken from the whitelist keeps its subscription, and hears nothing. */
function isAllowed({ businessId, definition }: Exposed, target: Configuration): boolean {
  return mayUse(businessId, definition, target.businessId)
}

/** The mode of the call, else of the service, else what the operation is by itself. */
function goingOf(exposed: Exposed, call: ServiceCall, trigger: Trigger, last: Mode): Going {
  const { parameters } = exposed.events.get(trigger.event) ?? {}
  return {
    ...{ exposed, call, trigger },
    mode: trigger.mode ?? exposed.definition.mode ?? last,
    data: parameters === undefined ? trigger.data : checkValue(parameters, 'data', trigger.data),
    untilMs: elapsedMs() + call.remainingMs,
  }
}

async function sendAll(
  scripts: ScriptingApi,
  going: Going,
  targets: readonly Configuration[],
): Promise<Item[]> {
  if (going.mode === 'sync') return runAll(scripts, going, targets)
  await scripts.deliveries.add(targets.map((target) => handlerCall(going, target)))
  return targets.map(placeOf)
}

/** Some at once: the next begins when one ends. */
async function runAll(
  scripts: ScriptingApi,
  going: Going,
  targets: readonly Configuration[],
): Promise<Item[]> {
  const items: Item[] = []
  const queue = targets.entries()
  async function work(): Promise<void> {
    for (const [index, target] of queue) {
      const { value, status } = await run(scripts, going, target)
      items[index] = { ...(value !== undefined && { result: value }), status, ...placeOf(target) }
    }
  }
  await Promise.all(Array.from({ length: limits.triggersAtOnceMax }, work))
  return items
}

/**
 * The handlers have run: a caller learns what came of each, even if it cannot have all results.
 * The number of those that are taken out doubles until the rest fits.
 */
function fitting(items: readonly Item[], { refuseSize }: ServiceCall): Item[] {
  if (refuseSize?.([...items]) === undefined) return [...items]
  const fitted = [...items]
  const largestFirst = items
    .map(({ result }, index) => ({ index, size: JSON.stringify(result ?? null).length }))
    .sort((one, other) => other.size - one.size)
  for (let out = 0, count = 1; out < items.length; out = count, count *= 2) {
    for (const { index } of largestFirst.slice(out, count)) {
      const { value, status } = answeredWith(new Fault('too_large', tooLarge))
      fitted[index] = { ...(items[index] as Item), result: value, status }
    }
    if (refuseSize([...fitted]) === undefined) break
  }
  return fitted
}

const tooLarge = 'The results of all subscribers are too large together; this one is left out.'

function placeOf({ id, solutionId }: Configuration): Item {
  return { instance_id: id, solution_id: solutionId }
}

async function run(scripts: ScriptingApi, going: Going, target: Configuration): Promise<Answered> {
  const { exposed, call, trigger } = going
  const wallMsMax = Math.floor(going.untilMs - elapsedMs())
  if (call.signal.aborted || wallMsMax <= 0) return outOfTime()
  const ended = await scripts.run({ ...handlerCall(going, target), wallMsMax })
  return answerOf(ended, {
    name: trigger.event,
    response: exposed.events.get(trigger.event)?.response,
    trusted: target.businessId === exposed.businessId,
  })
}

function outOfTime(): Answered {
  return answeredWith(new Fault('time_exceeded', 'The trigger had no time left for it.'))
}

function handlerCall({ call, trigger, data }: Going, target: Configuration): HandlerCall {
  return {
    businessId: target.businessId,
    solutionId: target.solutionId,
    service: target.alias,
    event: trigger.event,
    argument: data,
    callerId: call.solutionId,
    trackingId: call.trackingId,
    depth: call.depth + 1,
  }
}
