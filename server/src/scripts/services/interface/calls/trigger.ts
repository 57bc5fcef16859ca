import { elapsedMs, Fault } from '../../../../foundation/kernel/index.ts'
import type {
  Configuration,
  HandlerCall,
  ScriptingApi,
  ScriptValue,
  ServiceCall,
} from '../../../scripting/index.ts'
import type { Mode } from '../definition/definition.ts'
import { refusals } from '../errors.ts'
import { type Exposed, mayUse } from '../exposed/exposed-definition.ts'
import { interfaceLimits } from '../limits.ts'
import type { Trigger, TriggerOne } from '../operations.ts'
import { checkValue } from '../schema/check.ts'
import type { Subscribers } from '../subscribers/subscribers.ts'
import { type CallAnswer, errorResult, toResult } from './results.ts'

/** Subscribers whose handlers one `trigger` runs at once. */
const triggersAtOnceMax = 16

/** A trigger being run. */
type TriggerRun = {
  readonly exposed: Exposed
  readonly call: ServiceCall
  readonly trigger: Trigger
  readonly mode: Mode
  /** The trigger's data, with the defaults of the event's schema. */
  readonly data: ScriptValue
  readonly untilMs: number
}

/** The result of a trigger at one subscriber. */
type Item = {
  readonly result?: ScriptValue
  /** Only in sync mode. */
  readonly status?: number
  readonly instance_id: string
  readonly solution_id: string
}

/**
 * Sends the event to all subscribers that may still use the service: oldest first, many at once.
 * @returns an item for each; results that are too large together are errors, the largest first
 */
export async function trigger(
  scripts: ScriptingApi,
  exposed: Exposed,
  call: ServiceCall,
  asked: Trigger,
): Promise<Item[]> {
  const run = makeTriggerRun(exposed, call, asked, 'async')
  const items: Item[] = []
  let offset = 0
  for (;;) {
    const page = await scripts.configurations.ofService(exposed.solutionId, {
      offset,
      limit: interfaceLimits.triggerBatchMax,
    })
    const targets = page.items.filter((one) => isAllowed(exposed, one))
    items.push(...(await sendAll(scripts, run, targets)))
    offset += interfaceLimits.triggerBatchMax
    if (offset >= page.total || offset >= interfaceLimits.subscribersMax)
      return fitting(items, call)
  }
}

/**
 * Sends the event to one subscriber. @returns its handler's result; nil in async mode.
 * @throws Fault not_found
 */
export async function triggerOne(
  { scripts, subscribers }: { scripts: ScriptingApi; subscribers: Subscribers },
  exposed: Exposed,
  call: ServiceCall,
  asked: TriggerOne,
): Promise<ScriptValue> {
  const run = makeTriggerRun(exposed, call, asked, 'sync')
  const target = await subscribers.find(exposed, asked.target)
  if (target === undefined || !isAllowed(exposed, target)) throw refusals.noTarget()
  if (run.mode === 'sync') return (await callHandler(scripts, run, target)).value
  await addAll(scripts, run, [target])
  return undefined
}

/**
 * False for a business removed from the whitelist: it keeps its subscription, but gets no events.
 */
function isAllowed({ businessId, definition }: Exposed, target: Configuration): boolean {
  return mayUse(businessId, definition, target.businessId)
}

/** The mode is that of the call, else of the service, else the operation's default. */
function makeTriggerRun(
  exposed: Exposed,
  call: ServiceCall,
  trigger: Trigger,
  last: Mode,
): TriggerRun {
  const { parameters } = exposed.events.get(trigger.event) ?? {}
  return {
    exposed,
    call,
    trigger,
    mode: trigger.mode ?? exposed.definition.mode ?? last,
    data: parameters === undefined ? trigger.data : checkValue(parameters, 'data', trigger.data),
    untilMs: elapsedMs() + call.remainingMs,
  }
}

async function sendAll(
  scripts: ScriptingApi,
  run: TriggerRun,
  targets: readonly Configuration[],
): Promise<Item[]> {
  if (run.mode === 'sync') return runAll(scripts, run, targets)
  await addAll(scripts, run, targets)
  return targets.map(toPlace)
}

/** Slow subscribers slow the caller, but not one of another business. */
async function addAll(
  { deliveries }: ScriptingApi,
  run: TriggerRun,
  targets: readonly Configuration[],
): Promise<void> {
  await deliveries.add(targets.map((target) => handlerCall(run, target)))
  const { businessId, signal } = run.call
  const own = targets.filter((target) => target.businessId === businessId)
  const solutionIds = own.map(({ solutionId }) => solutionId)
  await deliveries.slowDown(solutionIds, signal)
}

/** Runs handlers with limited concurrency. */
async function runAll(
  scripts: ScriptingApi,
  run: TriggerRun,
  targets: readonly Configuration[],
): Promise<Item[]> {
  const items: Item[] = []
  const queue = targets.entries()
  async function work(): Promise<void> {
    for (const [index, target] of queue) {
      const { value, status } = await callHandler(scripts, run, target)
      items[index] = { ...(value !== undefined && { result: value }), status, ...toPlace(target) }
    }
  }
  await Promise.all(Array.from({ length: triggersAtOnceMax }, work))
  return items
}

/**
 * Replaces the largest results by errors until the rest fits: the handlers have run, so the caller
 * gets a status for each. The number of replaced results doubles in each step.
 */
function fitting(items: readonly Item[], { refuseSize }: ServiceCall): Item[] {
  if (refuseSize?.([...items]) === undefined) return [...items]
  const fitted = [...items]
  const largestFirst = items
    .map(({ result }, index) => ({ index, size: JSON.stringify(result ?? null).length }))
    .sort((one, other) => other.size - one.size)
  for (let out = 0, count = 1; out < items.length; out = count, count *= 2) {
    for (const { index } of largestFirst.slice(out, count)) {
      const { value, status } = errorResult(new Fault('too_large', tooLarge))
      fitted[index] = { ...(items[index] as Item), result: value, status }
    }
    if (refuseSize([...fitted]) === undefined) break
  }
  return fitted
}

const tooLarge = 'The results of all subscribers are too large together; this one is left out.'

function toPlace({ id, solutionId }: Configuration): Item {
  return { instance_id: id, solution_id: solutionId }
}

async function callHandler(
  scripts: ScriptingApi,
  run: TriggerRun,
  target: Configuration,
): Promise<CallAnswer> {
  const { exposed, call, trigger } = run
  const wallMsMax = Math.floor(run.untilMs - elapsedMs())
  if (call.signal.aborted || wallMsMax <= 0) return outOfTime()
  const ended = await scripts.run({ ...handlerCall(run, target), wallMsMax })
  return toResult(ended, {
    name: trigger.event,
    response: exposed.events.get(trigger.event)?.response,
    trusted: target.businessId === exposed.businessId,
  })
}

function outOfTime(): CallAnswer {
  return errorResult(new Fault('time_exceeded', 'The trigger had no time left for it.'))
}

function handlerCall({ call, trigger, data }: TriggerRun, target: Configuration): HandlerCall {
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
