import type { DeadJobKey } from '../../jobs/index.ts'
import { omitUndefined } from '../../kernel/index.ts'
import { type DeadDelivery, formatDeadKey, parseDeadKey } from '../../scripting/index.ts'
import { type Fields, fieldsOf, invalid, textOf } from './fields.ts'
import { limitOf } from './log.ts'

/** @throws Fault invalid_argument */
export function parseFailuresQuery(query: Fields): {
  limit?: number | undefined
  before?: DeadJobKey | undefined
} {
  const asked = Object.entries(query).filter(([, value]) => value !== '')
  const { limit, before } = fieldsOf('query', Object.fromEntries(asked), ['limit', 'before'])
  return omitUndefined({
    limit: limit === undefined ? undefined : limitOf(limit),
    before: before === undefined ? undefined : keyOf(before),
  })
}

/** A failure as the API shows it. Bytes that are no text are shown in base64. */
export function failureBody({ argument, ...failure }: DeadDelivery): Fields {
  const { id, service, event, error, tries, trackingId, createdAt, failedAt } = failure
  return {
    id,
    service,
    event,
    argument: shown(argument),
    error,
    tries,
    tracking_id: trackingId,
    created_at: createdAt,
    failed_at: failedAt,
  }
}

export function failuresNext(key: DeadJobKey | undefined): string | undefined {
  return key && formatDeadKey(key)
}

function shown(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one)]))
}

function keyOf(value: unknown): DeadJobKey {
  const key = parseDeadKey(textOf('before', value))
  if (key === undefined) throw invalid('before', 'must be what a page before gave')
  return key
}
