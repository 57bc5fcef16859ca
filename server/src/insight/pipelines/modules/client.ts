import {
  type Insight,
  type InsightInfoResults,
  type InsightListResults,
  type InsightsFilterParams,
  type LifecycleEvent,
  type ProcessRequest,
  type Refused,
  readInfo,
  readInsight,
  readInsightList,
  readProcessAnswer,
  type SignalData,
} from '@millrace/insight-sdk/protocol'
import {
  type Clock,
  Fault,
  isJsonObject,
  jsonBounds,
  limits,
  type Measurements,
  measure,
  parseJson,
  readableText,
  refuseTime,
  refuseUnit,
} from '../../../foundation/kernel/index.ts'
import type { OutboundAnswer } from '../../../foundation/outbound/index.ts'
import {
  type CallContent,
  CallTimedOut,
  type LimitedCall,
  ModuleAway,
  type ModuleCalls,
  type ModuleEndpoint,
} from '../../marketplace/index.ts'
import { pipelineLimits } from '../limits.ts'
import type { CalledModule } from '../types.ts'
import type { CallLimits } from './call-limits.ts'
import type { Health } from './health.ts'
import type { Speed } from './speed.ts'

type Read<T> = { readonly value: T; readonly complaints: readonly string[] }
type FunctionList = Omit<InsightListResults, 'insights'> & { readonly insights: readonly Insight[] }

/**
 * Speaks the insight protocol, for one business at a time. Every failure is a Fault `module_failed`
 * or `address_refused`, or `overloaded` if too many calls wait.
 */
export type ModuleClient = {
  /** The text at a URL; undefined if there is none. */
  file(businessId: string, url: string): Promise<string | undefined>
  info(businessId: string, endpoint: ModuleEndpoint): Promise<Read<InsightInfoResults>>
  insights(
    businessId: string,
    endpoint: ModuleEndpoint,
    filter: InsightsFilterParams,
  ): Promise<Read<FunctionList>>
  /** Returns undefined if the module answers 404: it has no such function, or not the operation. */
  insight(
    businessId: string,
    endpoint: ModuleEndpoint,
    functionId: string,
  ): Promise<Insight | undefined>
  /**
   * The answer is ignored; only a call that did not come through is a failure. To be called with a
   * place of the module's share, as `process` is.
   */
  lifecycle(businessId: string, endpoint: ModuleEndpoint, event: LifecycleEvent): Promise<void>
  /** Calls `init` or `gc` of a module; to be called as `lifecycle` is. */
  setup(businessId: string, endpoint: ModuleEndpoint, sent: CallContent): Promise<void>
  /**
   * Returns the values of each outlet. An action's answer is ignored. A module that rests is not
   * called.
   */
  process(module: CalledModule, insight: Insight, sent: ProcessCall): Promise<ProcessRead>
}

type ProcessRead = Read<SignalData[][]> & { readonly unusable?: readonly string[] }

export type ProcessCall = {
  readonly request: ProcessRequest
  readonly trackingId: string
  /** The tracking ids of the entries with whose values it is called. */
  readonly causes?: readonly string[]
  /** The time that the call may take; null: as long as the instance lets any. */
  readonly timeoutMs: number | null
  /** Counts its requests, and gets the HTTP status of the answer. */
  readonly call: { requests: number; status: number | null }
}

export type ClientOptions = {
  readonly calls: ModuleCalls
  readonly health: Health
  readonly speed: Pick<Speed, 'answered'>
  readonly clock: Pick<Clock, 'elapsedMs'>
  readonly callLimits: Pick<CallLimits, 'request'>
}

/** The module was not called, because it failed too often. */
class Resting extends ModuleAway {}

/** The module did answer, be it with an error response or with something that cannot be used. */
class BadAnswer extends Fault {
  constructor(detail: string) {
    super('module_failed', detail)
  }
}

export function createClient(options: ClientOptions): ModuleClient {
  const { calls, health, speed, clock, callLimits } = options

  function ask(
    businessId: string,
    endpoint: ModuleEndpoint,
    body?: object,
  ): Promise<OutboundAnswer> {
    const limited: LimitedCall = (call) => callLimits.request(businessId, endpoint.url, call)
    return calls.call(businessId, endpoint, { body }, limited)
  }

  return {
    async file(businessId, url) {
      const endpoint = { method: 'GET', url, headers: {} } as const
      const answer = await ask(businessId, endpoint)
      return isSuccess(answer) ? readableText(answer.body) : undefined
    },
    info: async (businessId, endpoint) =>
      taken(readInfo(readBody(await ask(businessId, endpoint)))),
    async insights(businessId, endpoint, filter) {
      return taken(readInsightList(readBody(await ask(businessId, endpoint, filter))))
    },
    async insight(businessId, endpoint, functionId) {
      const url = endpoint.url.replaceAll(/\{[^{}]*\}/g, () => encodeURIComponent(functionId))
      const answer = await ask(businessId, { ...endpoint, url })
      if (answer.status === 404) return undefined
      const read = readInsight(readBody(answer))
      if (read.error === undefined) return read.value
      throw new BadAnswer(`The module's answer cannot be used: ${read.error}.`)
    },
    async lifecycle(businessId, endpoint, event) {
      await calls.call(businessId, endpoint, { body: event }, (call) => call())
    },
    async setup(businessId, endpoint, sent) {
      readBody(await calls.call(businessId, endpoint, sent, (call) => call()))
    },
    async process(module, insight, { request, trackingId, causes = [], timeoutMs, call: made }) {
      const { id, businessId } = module
      const called = { moduleId: id, functionId: insight.id }
      const limited: LimitedCall = async (call) => {
        assertAwake(module, health)
        made.requests += 1
        const sentMs = clock.elapsedMs()
        return call().finally(() => speed.answered(called, clock.elapsedMs() - sentMs))
      }
      const measured = measuring(clock, () => {
        const ids = { call: trackingId, trackingIds: causes, status: made.status }
        return { of: 'module', module: id, functionId: insight.id, ...ids }
      })
      try {
        const traceparent = makeTraceparent(trackingId, causes)
        const sent = { body: request, trackingId, timeoutMs, traceparent }
        const answer = await calls.call(businessId, module.endpoints().process, sent, limited)
        made.status = answer.status
        const read = withoutWrongTimes(readAnswer(insight, answer), request)
        health.answered(id)
        measured('returned')
        return read
      } catch (error) {
        measured('failed')
        if (error instanceof BadAnswer) health.answered(id)
        else if (!(error instanceof Resting || isOwnTimeout(error, timeoutMs)))
          health.failed(id, toReason(error))
        throw error
      }
    },
  }
}

type CallIds = Omit<Extract<Measurements['call'], { of: 'module' }>, 'outcome' | 'ms'>

/** Returns what publishes the end of a call that begins now. */
function measuring(clock: Pick<Clock, 'elapsedMs'>, ids: () => CallIds): (outcome: string) => void {
  const beganMs = clock.elapsedMs()
  return (outcome) =>
    measure('call', () => ({ ...ids(), outcome, ms: clock.elapsedMs() - beganMs }))
}

/** The parent of what the module does for a call; undefined if it is not traced. */
function makeTraceparent(call: string, trackingIds: readonly string[]): string | undefined {
  const calling: { call: string; trackingIds: readonly string[]; traceparent?: string } = {
    call,
    trackingIds,
  }
  measure('calling', () => calling)
  return calling.traceparent
}

/** A link may wait for less than its module needs; other links wait for longer. */
function isOwnTimeout(error: unknown, timeoutMs: number | null): boolean {
  return error instanceof CallTimedOut && (timeoutMs ?? Infinity) < limits.moduleCallMsMax
}

/** @throws Resting */
function assertAwake({ id, name }: CalledModule, health: Health): void {
  if (health.restsUntil(id) === undefined) return
  const { failuresInRow, lastFailure } = health.state(id)
  const why = `after ${failuresInRow} failures in a row, the last: ${lastFailure}`
  throw new Resting(`The module "${name}" rests ${why}`)
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isSuccess({ status }: OutboundAnswer): boolean {
  return status >= 200 && status < 300
}

/** The answers of a proxy for a module that restarts, and of a module that has too much to do. */
const away: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The JSON of an answer, or its text where it is none, for the reader to name what came. */
function readBody(answer: OutboundAnswer): unknown {
  const json = jsonIn(answer.body)
  if (isSuccess(answer)) return json
  const said = isJsonObject(json) ? [json.name, json.message] : []
  const words = said.filter((word) => typeof word === 'string' && word !== '').join(': ')
  const what = `The module answered ${answer.status}`
  const shown = words.slice(0, limits.moduleSentenceCharsMax)
  if (away.has(answer.status)) throw new ModuleAway(shown === '' ? `${what}.` : `${what}: ${shown}`)
  if (words === '') throw new Fault('module_failed', `${what} without an error response.`)
  throw new BadAnswer(`${what}: ${shown}`)
}

function jsonIn(body: Buffer): unknown {
  try {
    const most = 5 * pipelineLimits.moduleAnswerValuesMax
    return parseJson(body, { ...jsonBounds(), values: most, texts: most })
  } catch {
    return readableText(body)
  }
}

function taken<T extends { readonly error?: undefined }>(reading: T | Refused): T {
  if (reading.error === undefined) return reading
  throw new BadAnswer(`The module's answer cannot be used: ${reading.error}.`)
}

function readAnswer(insight: Insight, answer: OutboundAnswer): ProcessRead {
  const json = readBody(answer)
  if (insight.type === 'action') return { value: [], complaints: [] }
  if (answer.body.length === 0) {
    return { value: [], complaints: ['the answer is empty, taken as no output'] }
  }
  const valuesMax = pipelineLimits.moduleAnswerValuesMax
  return taken(readProcessAnswer(json, countOutlets(insight), { valuesMax }))
}

/**
 * Leaves out values whose time is in another unit than microseconds. A device whose clock began in
 * 1970 sends such times itself, and a module repeats them.
 */
function withoutWrongTimes(read: ProcessRead, { data }: ProcessRequest): ProcessRead {
  if (data.some(({ ts }) => refuseModuleTime(ts))) return read
  const refusals: string[] = []
  const value = read.value.map((signals, at) =>
    signals.filter(({ ts }) => {
      const refusal = refuseModuleTime(ts)
      if (refusal !== undefined) refusals.push(`outlet ${at}: ts ${refusal}`)
      return refusal === undefined
    }),
  )
  const [first, ...more] = refusals
  if (first === undefined) return read
  const said = more.length === 0 ? first : `${first}; and ${more.length} more times`
  return { ...read, value, unusable: [...(read.unusable ?? []), said] }
}

function refuseModuleTime(ts: number): string | undefined {
  return ts === 0 ? 'must not be 0' : (refuseUnit(ts) ?? refuseTime(ts))
}

/** A rule's status comes by its first outlet, whether it declares one or not. */
function countOutlets({ type, outlets }: Insight): number {
  return type === 'rule' ? Math.max(1, outlets.length) : outlets.length
}
