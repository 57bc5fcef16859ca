import { type ErrorCode, errorCatalogue } from '../../../foundation/kernel/index.ts'
import type { Contract } from './contract.ts'

const anyRoute: readonly ErrorCode[] = [
  'malformed_request',
  'internal',
  'database_unavailable',
  'log_unavailable',
  'overloaded',
  'time_exceeded',
]
const withCredential: readonly ErrorCode[] = [
  'unknown_credential',
  'sign_in_locked',
  'totp_required',
  'totp_enrolment_required',
  'rate_requests_exceeded',
  'rate_time_exceeded',
]
/** The operator names the business, which may be none. */
const withBusiness: readonly ErrorCode[] = ['invalid_argument', 'not_found']
/** A body may come with any of these requests, also where the operation has no use for it. */
const unlessRead: readonly ErrorCode[] = ['too_large', 'wrong_content_type']

/** The codes that a route may answer: its own, and those that follow from its contract. */
export function listRefusals(contract: Contract): ErrorCode[] {
  const { body, query, headers, params, refuses = [] } = contract.details()
  const { method, permission } = contract
  const codes: ErrorCode[] = [...anyRoute, ...refuses]
  if (permission !== 'none') codes.push(...withCredential)
  if (permission !== 'none' && permission !== 'account') codes.push('forbidden')
  if (permission !== 'none' && permission !== 'operator') codes.push(...withBusiness)
  if (method !== 'GET') codes.push(...unlessRead)
  // A parameter of the query that it does not have is one, too.
  const mayRefuse = permission !== 'none' || (body ?? query ?? headers) !== undefined
  if (mayRefuse) codes.push('invalid_argument')
  if (params !== undefined) codes.push('not_found')
  return [...new Set(codes)]
}

/** The same by their HTTP status, in ascending order. */
export function refusalsByStatus(contract: Contract): Map<number, ErrorCode[]> {
  const codes = listRefusals(contract)
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))]
  return new Map(
    statuses
      .sort((one, other) => one - other)
      .map((status) => [status, codes.filter((code) => errorCatalogue[code].status === status)]),
  )
}
