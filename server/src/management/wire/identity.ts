import { omitUndefined } from '../../kernel/index.ts'
import type { ListInput, WhitelistInput } from '../../provisioning/index.ts'
import { bodyObject, fieldsOf, invalid } from './fields.ts'

/**
 * Parses an identity's body. Only its shape is converted here; provisioning checks the fields.
 * @throws Fault malformed_request, invalid_argument
 */
export function parseIdentityBody(body: unknown): IdentityBody {
  const known = ['auth', 'locked', 'reprovision', 'tags']
  const { auth, ...rest } = fieldsOf('body', bodyObject(body), known)
  const { expire, type, key } = fieldsOf('auth', auth, ['expire', 'type', 'key'])
  const input = omitUndefined({ expire, ...rest })
  if (type === 'csr') return { input, csr: key ?? '' }
  return { input: omitUndefined({ ...input, authType: type, certificate: key }) }
}

/**
 * The same of one that is there. A deadline of 0 is how tools of the field order a device to be
 * provisioned again.
 * @throws Fault malformed_request, invalid_argument
 */
export function parseIdentityChange(body: unknown): WhitelistInput {
  const { input, csr } = parseIdentityBody(body)
  if (csr !== undefined) throw invalid('auth.type', 'csr is for PUT')
  const { expire, ...rest } = input
  return expire === 0 ? { reprovision: true, ...rest } : input
}

export type IdentityBody = {
  readonly input: WhitelistInput
  /** With `auth.type` `csr`: what is to be signed. */
  readonly csr?: unknown
}

const served = ['limit', 'before', 'status', 'identity', 'ipaddress']

/** The part of a list that a query asks for; a field that is empty was not asked. */
export function parseListQuery(query: Readonly<Record<string, unknown>>): ListInput {
  const asked = Object.entries(query).filter(([, value]) => value !== '')
  const { limit, ...rest } = fieldsOf('query', Object.fromEntries(asked), served)
  return omitUndefined({ limit: wholeNumber(limit), ...rest })
}

/** A number where the text is one; anything else is left for the refusal to name. */
export function wholeNumber(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text
}
