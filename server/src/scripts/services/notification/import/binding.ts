import { Fault, isJsonObject } from '../../../../foundation/kernel/index.ts'
import { makeEndpoint, type NewBinding, readBinding } from '../bindings/binding.ts'
import { isSid } from '../ids.ts'
import { notificationOperations } from '../operations.ts'
import { channelNamed } from '../rest-api/wire.ts'
import { refused } from '../sending/arguments.ts'

/** A binding with the times that it had elsewhere. Microseconds. */
export type Imported = NewBinding & { readonly createdAt: number; readonly updatedAt: number }

export type ImportRules = {
  /** In place of that of the rows. */
  readonly serviceSid: string | undefined
  readonly nowUs: number
  newSid(): string
}

/**
 * Reads a binding of the legacy API's list. It keeps its sid, which server code may have stored; a
 * missing endpoint is made of identity and address.
 * @throws Fault invalid_argument
 */
export function parseImported(row: unknown, rules: ImportRules): Imported {
  if (!isJsonObject(row)) throw refused('the row', 'is no JSON object')
  const channel = channelNamed(toText(row.binding_type))
  const [identity, address] = [toText(row.identity), toText(row.address)]
  const given = {
    ServiceSid: rules.serviceSid ?? toText(row.service_sid),
    Identity: identity,
    Address: address,
    BindingType: channel,
    Endpoint: toText(row.endpoint) || makeEndpoint(channel, identity, address),
    Tag: Array.isArray(row.tags) ? row.tags.map(toText) : toText(row.tags),
    CredentialSid: toText(row.credential_sid),
    NotificationProtocolVersion: toText(row.notification_protocol_version),
  }
  const binding = readBinding(
    notificationOperations.parse('createBinding', given),
    isSid(row.sid) ? row.sid : rules.newSid(),
  )
  const { nowUs } = rules
  const createdAt = parseTime('date_created', row.date_created, nowUs) ?? nowUs
  const updatedAt = parseTime('date_updated', row.date_updated, nowUs) ?? createdAt
  return { ...binding, createdAt, updatedAt: Math.max(createdAt, updatedAt) }
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** ISO 8601 or RFC 2822; none is later than now. */
function parseTime(field: string, value: unknown, nowUs: number): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const ms = Date.parse(toText(value))
  if (Number.isNaN(ms)) throw refused(field, 'is no date')
  return Math.min(Math.max(0, ms * 1_000), nowUs)
}

/** The error of a row, in words. */
export function toReason(error: unknown): string {
  if (error instanceof Fault && error.code === 'invalid_argument') return error.detail
  throw error
}
