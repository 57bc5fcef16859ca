import type { DeadJob, DeadJobKey, Job, NewJob } from '../../jobs/index.ts'
import type { HandlerCall } from '../runtime/engine.ts'
import type { ScriptError, ScriptValue } from '../runtime/value.ts'
import { decodeValue, encodeValue } from '../runtime/value-json.ts'

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
export function deliveryOf(
  call: HandlerCall & { readonly trackingId: string },
): NewJob<DeliveryInput> {
  const { businessId, solutionId, service, event, argument, trackingId, callerId, depth } = call
  const input = { service, event, argument, trackingId }
  if (callerId !== undefined) Object.assign(input, { callerId })
  if (depth !== undefined) Object.assign(input, { depth })
  return { businessId, tenant: solutionId, input }
}

export function callOf({ businessId, tenant, input }: Delivery): HandlerCall {
  return { businessId, solutionId: tenant, ...input }
}

export const deliveryCodec = {
  encode: (input: DeliveryInput): string => encodeValue(input),
  decode: (text: string): DeliveryInput => decodeValue(text) as DeliveryInput,
}

/** A delivery that failed for good, for its owner. */
export type DeadDelivery = {
  readonly id: string
  readonly businessId: string
  readonly solutionId: string
  readonly service: string
  readonly event: string
  readonly argument: ScriptValue
  readonly error: ScriptError
  readonly tries: number
  readonly trackingId: string
  /** Microseconds: when it came, and when it failed for good. */
  readonly createdAt: number
  readonly failedAt: number
}

export function deadDeliveryOf(job: DeadJob<DeliveryInput>): DeadDelivery {
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

/** Formats a cursor as one word. */
export function formatDeadKey({ failedAtUs, id }: DeadJobKey): string {
  return `${failedAtUs}.${id}`
}

/** Undefined if the text is no cursor. */
export function parseDeadKey(text: string): DeadJobKey | undefined {
  const match = /^(\d{1,16})\.([a-z0-9]{1,64})$/.exec(text)
  if (match === null) return undefined
  const failedAtUs = Number(match[1])
  return Number.isSafeInteger(failedAtUs) ? { failedAtUs, id: match[2] ?? '' } : undefined
}
