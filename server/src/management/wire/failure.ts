import type { DeadDelivery } from '../../scripting/index.ts'
import type { FailureBody } from '../contract/failures.ts'

/** A failure as the API shows it. */
export function failureBody({ argument, ...failure }: DeadDelivery): FailureBody {
  const { id, service, event, error, tries, trackingId, createdAt, failedAt } = failure
  return {
    id,
    service,
    event,
    argument: valueBody(argument) ?? null,
    error,
    tries,
    tracking_id: trackingId,
    created_at: createdAt,
    failed_at: failedAt,
  }
}

/** A value of scripts in JSON. Bytes that are no text are shown in base64. */
export function valueBody(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(valueBody)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, valueBody(one)]))
}
