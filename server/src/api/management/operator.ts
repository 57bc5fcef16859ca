import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Provisioning } from '../../devices/provisioning/index.ts'
import { Fault, hashToken, readPeer } from '../../foundation/kernel/index.ts'
import {
  type Accounts,
  type Principal,
  permissions,
  requirePermission,
} from '../../people/accounts/index.ts'
import { requireWhole, wholeView } from '../../people/groups/index.ts'
import type { Contract } from './contract/contract.ts'

/** The header in which the operator names a business, by its id or its name. */
export const businessHeader = 'millrace-business'

export type OperatorOptions = {
  readonly accounts: Pick<Accounts, 'findBusiness' | 'listBusinesses' | 'authorize'>
  readonly connectors: Pick<Provisioning['connectors'], 'find'>
  /** The token of this process, known to those who can read its file; undefined: none. */
  readonly token: string | undefined
}

/** The holder of a request's credential. */
export type Authenticated = {
  readonly principal: Principal
  /** True for the operator of the instance, who may work in every business. */
  readonly isOperator: boolean
}

/**
 * Checks all that a contract asks of its caller, when a request comes and as long as its answer
 * lasts: the permission, and the view of the whole business, since connectors, solutions and
 * modules lie in no group.
 * @throws Fault forbidden
 */
export function requireAccess(
  { principal, isOperator }: Authenticated,
  { permission, tag, ofGroups }: Contract,
): void {
  if (permission === 'operator') {
    if (!isOperator) throw new Fault('forbidden', 'This is for the operator of the instance.')
  } else if (permission !== 'account' && permission !== 'none') {
    requirePermission(principal, permission)
    const isOfGroups = ofGroups ?? tag === 'accounts'
    if (permission === 'Setup' && !isOfGroups) requireWhole(principal.view, 'This')
  }
}

/**
 * Authenticates callers of the management API: users, API tokens, and the operator of the instance.
 * The operator's credential is `Operator <token>`; it is taken from this machine only.
 */
export class CallerAuthentication {
  readonly #options: OperatorOptions
  readonly #hash: Buffer | undefined

  constructor(options: OperatorOptions) {
    this.#options = options
    this.#hash = options.token === undefined ? undefined : digest(options.token)
  }

  /** Faults: unknown_credential, sign_in_locked, overloaded, invalid_argument. */
  async authenticate(request: FastifyRequest, needsBusiness: boolean): Promise<Authenticated> {
    const { authorization } = request.headers
    const [, token] = /^operator (\S+)$/i.exec(authorization ?? '') ?? []
    if (token === undefined) {
      const principal = await this.#options.accounts.authorize(
        authorization,
        readPeer(request.raw).ip,
      )
      return { principal, isOperator: false }
    }
    if (!this.#isOperator(token) || !isLoopback(readPeer(request.raw).ip))
      throw new Fault('unknown_credential')
    const businessId = needsBusiness ? await this.#findBusiness(request) : ''
    const holder = { businessId, subject: 'operator', permissions: new Set(permissions) }
    const principal = { ...holder, view: wholeView(businessId), address: readPeer(request.raw).ip }
    return { principal, isOperator: true }
  }

  #isOperator(token: string): boolean {
    return this.#hash !== undefined && timingSafeEqual(digest(token), this.#hash)
  }

  /** The business that the header names, that of the path's connector, or the only one. */
  async #findBusiness({ headers, params }: FastifyRequest): Promise<string> {
    const { accounts, connectors } = this.#options
    const name = headers[businessHeader]
    if (typeof name === 'string') {
      const business = await accounts.findBusiness(decode(name))
      if (business !== undefined) return business.id
      throw new Fault('not_found', `there is no business ${JSON.stringify(decode(name))}`)
    }
    const { connector } = params as { connector?: string }
    const owner = connector === undefined ? undefined : await connectors.find(connector)
    if (owner !== undefined) return owner.businessId
    const [only, ...others] = await accounts.listBusinesses()
    if (only === undefined) throw new Fault('not_found', 'there is no business yet')
    if (others.length === 0) return only.id
    if (connector !== undefined) throw new Fault('not_found', 'there is no such connector')
    throw new Fault('invalid_argument', 'a business must be named: there are several')
  }
}

function digest(token: string): Buffer {
  return Buffer.from(hashToken(token))
}

/** The name of a business may have any letters; the header has it percent-encoded. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function isLoopback(ip: string): boolean {
  return /^(?:::ffff:)?127\./.test(ip) || ip === '::1'
}
