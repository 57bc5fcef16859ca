import { createHash } from 'node:crypto'
import type { AllowEntry } from './allow.ts'

/** On whose behalf a call is made, where that is a tenant and not the platform itself. */
export type Guest = {
  /** Connections are shared within a scope and never across: a solution's id. */
  readonly scope: string
  /** What the operator opened for this guest, beside what is open for all. */
  readonly allow: readonly AllowEntry[]
  readonly tls?: GuestTls
}

/** PEM texts. With `ca` only what these authorities signed is trusted. */
export type GuestTls = {
  readonly key?: string
  readonly cert?: string
  readonly ca?: string
}

/**
 * What tells a guest's connections from all others. A connection that one allow list opened, or
 * that a client certificate vouches for, is of no use to anyone else.
 */
export function guestKey(guest: Guest): string {
  const { scope, allow, tls } = guest
  // What has nothing but its scope is told by it, and needs no hash of secrets.
  if (allow.length === 0 && tls === undefined) return `scope ${scope}`
  return keyOf(scope, allow, tls ?? {})
}

function keyOf(scope: string, allow: readonly AllowEntry[], tls: GuestTls): string {
  const doors = allow.map(({ host, port }) => [host, port])
  const parts = [scope, doors, tls.key ?? null, tls.cert ?? null, tls.ca ?? null]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
