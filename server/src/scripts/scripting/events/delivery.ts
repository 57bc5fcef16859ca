import type {
  DeadJob,
  DeadJobKey,
  Job,
  JobFailure,
  JobOutcome,
  NewJob,
} from '../../../log/jobs/index.ts'
import type { RetryPolicy } from '../registry/script.ts'
import type { HandlerCall } from '../runtime/engine.ts'
import type { HostEnd } from '../runtime/host.ts'
import type { ScriptError, ScriptValue } from '../runtime/value.ts'
import { decodeValue, encodeValue } from '../runtime/value-json.ts'
import type { DeadDelivery } from '../schema.ts'

/** A durable call of a handler, as its job stores it; the job has its business and solution. */
export type DeliveryInput = {
  readonly service: string
  readonly event: string
  readonly argument: ScriptValue
  readonly trackingId: string
  readonly callerId?: string
  readonly depth?: number
}

export type Delivery = Job<DeliveryInput>

/** A delivery to be stored, in any order with others. */
export function makeDelivery(
  call: HandlerCall & { readonly trackingId: string },
): NewJob<DeliveryInput> {
  const { businessId, solutionId, service, event, argument, trackingId, callerId, depth } = call
  const input = {
    service,
    event,
    argument,
    trackingId,
    ...(callerId !== undefined && { callerId }),
    ...(depth !== undefined && { depth }),
  }
  return { businessId, tenant: solutionId, input }
}

export function toCall({ businessId, tenant, input }: Delivery): HandlerCall {
  return { businessId, solutionId: tenant, ...input }
}

export const deliveryCodec = {
  encode: (input: DeliveryInput): string => encodeValue(input),
  decode: (text: string): DeliveryInput => decodeValue(text) as DeliveryInput,
}

export function toDeadDelivery(job: DeadJob<DeliveryInput>): DeadDelivery {
  const { service, event, argument = null, trackingId } = job.input
  return {
    id: job.id,
    businessId: job.businessId,
    solutionId: job.tenant,
    service,
    event,
    tries: job.attempts,
    argument,
    error: job.failure.detail as ScriptError,
    trackingId,
    createdAt: job.createdAtUs,
    failedAt: job.failedAtUs,
  }
}

export type DeadPage = {
  /** Newest first. */
  readonly deliveries: readonly DeadDelivery[]
  readonly before: DeadJobKey | undefined
}

const usPerSecond = 1_000_000

/** Returns true if nothing of the call ran because of a limit that passes. */
export function isTransient(end: HostEnd): boolean {
  return end.kind === 'stopped' && !end.started && transientLimits.has(end.limit)
}

/** A script that was cut off by the stop of the platform is to run again, as after a power cut. */
export function endedByClosing(end: HostEnd): boolean {
  return end.kind === 'stopped' && end.limit === 'worker'
}

/**
 * Returns the outcome of a delivery. A delivery that never started is retried without a limit: its
 * script did nothing. A delivery that failed is retried only if its script has a retry policy,
 * since scripts may do a part of their work before they fail.
 */
export function toOutcome(
  end: HostEnd,
  retry: RetryPolicy | undefined,
  { attempts, nowUs, againAtUs }: AttemptContext,
): JobOutcome {
  if (end.kind === 'returned') return { kind: 'done' }
  const failure = toFailure(isTransient(end) ? 'start' : 'handler', end.error)
  if (failure.step === 'start') return { kind: 'snooze', untilUs: againAtUs(), failure }
  if (retry === undefined || attempts >= retry.retries) return { kind: 'dead', failure }
  return { kind: 'retry', failure, atUs: nowUs + retry.seconds * usPerSecond }
}

export type AttemptContext = {
  /** Number of earlier attempts. */
  readonly attempts: number
  readonly nowUs: number
  /** Due time of a delivery that could not start. */
  readonly againAtUs: () => number
}

/** An error of a script, as its job stores it. */
export function toFailure(step: string, { type, error, status }: ScriptError): JobFailure {
  return { step, reason: error, detail: { type, error, status } }
}

/** Limits that depend on load, not on the call. */
const transientLimits: ReadonlySet<string> = new Set(['queue', 'quota', 'worker', 'time'])
