import { createHash } from 'node:crypto'
import type { AllowEntry } from './allow.ts'

/** On whose behalf a call is made, where that is a tenant and not the platform itself. */
export type Guest = {
  /** Connections are shared within a scope and never across: a solution's id. */
  readonly scope: string
  /** Addresses that the operator allowed for this guest, beside those for all. */
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
 * Returns the key of a guest's connections. A connection that one allow list permits, or that a
 * client certificate authenticates, is not shared with other guests.
 */
export function guestKey(guest: Guest): string {
  const { scope, allow, tls } = guest
  // A guest with nothing but a scope has that as its key, and needs no hash of secrets.
  if (allow.length === 0 && tls === undefined) return `scope ${scope}`
  return hashGuest(scope, allow, tls ?? {})
}

function hashGuest(scope: string, allow: readonly AllowEntry[], tls: GuestTls): string {
  const addresses = allow.map(({ host, port }) => [host, port])
  const parts = [scope, addresses, tls.key ?? null, tls.cert ?? null, tls.ca ?? null]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
