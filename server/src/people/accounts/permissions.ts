import { Fault, limits } from '../../foundation/kernel/index.ts'
import type { View } from '../groups/index.ts'

/** The permissions of each role, by the role's name. */
export const permissions = [
  'User Management',
  'Asset Management',
  'View Asset Data',
  'Group Management',
  'View Asset',
  'Dashboard Management',
  'Setup',
] as const

/**
 * `Setup`: connectors, identities, resources, modules, API tokens. `Asset Management`: assets,
 * signals, links. `Group Management`: groups. `View Asset`, `View Asset Data`: reading.
 */
export type Permission = (typeof permissions)[number]

/** The authenticated caller and its permissions. */
export type Principal = {
  readonly businessId: string
  /** `user:<id>`, `token:<id>`, `operator`, or `platform`. */
  readonly subject: string
  readonly permissions: ReadonlySet<Permission>
  /** The groups that it sees, of its business; devices and assets elsewhere do not exist for it. */
  readonly view: View
  /** The network address from which it calls. */
  readonly address?: string
  /** The end of an API token that expires, in milliseconds since 1970. */
  readonly expiresAt?: number
  /** The limits of requests: of an API token to the graph API, of a person to both APIs. */
  readonly rates?: RequestRates
}

/** The id of the user that a subject is; undefined for a program. */
export function parseUserId(subject: string): string | undefined {
  const [kind, id] = subject.split(':')
  return kind === 'user' ? id : undefined
}

/**
 * The limits of an API token in a window, by its own setting or that of its role, null: that of the
 * instance; or those of a person.
 */
export type RequestRates = {
  /** Requests of one holder count together. */
  readonly holder: string
  readonly requestsMax: number | null
  /** The sum of the requests' times. */
  readonly msMax: number | null
}

/** The limits of a person, of all sessions together. */
export function ratesOfPerson(userId: string): RequestRates {
  return ratesFor(`user:${userId}`)
}

export function ratesFor(holder: string): RequestRates {
  const { personWindowRequests: requestsMax, personWindowRequestsMs: msMax } = limits
  return { holder, requestsMax, msMax }
}

/**
 * Counts a request of the management API. Undefined for the operator.
 * Faults: rate_requests_exceeded, rate_time_exceeded.
 */
export type CountRequest = (by: Principal) => Promise<{ end(ms: number): void } | undefined>

export type Role = { readonly name: string; readonly permissions: readonly Permission[] }

/** The roles that every business begins with. */
export const firstRoles: readonly Role[] = [
  { name: 'Administrator', permissions },
  {
    name: 'Operator',
    permissions: [
      'Asset Management',
      'View Asset Data',
      'Group Management',
      'View Asset',
      'Dashboard Management',
    ],
  },
  { name: 'Viewer', permissions: ['View Asset Data', 'View Asset'] },
]

/**
 * Returns the permissions among stored names; a name that this version does not define is ignored.
 */
export function knownPermissions(names: readonly string[]): ReadonlySet<Permission> {
  return new Set(permissions.filter((permission) => names.includes(permission)))
}

/** @throws Fault forbidden, naming the permission, if the principal does not have it. */
export function requirePermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.has(permission)) return
  throw new Fault('forbidden', `This needs the permission "${permission}".`)
}
