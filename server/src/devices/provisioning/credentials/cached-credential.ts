import type { CredentialRow } from '../store/identities.ts'
import type { AuthType } from './auth-type.ts'

/** A credential of an identity, cached for `credentialCacheMs`. */
export type CachedCredential = {
  readonly connectorId: string
  readonly identity: string
  readonly authType: AuthType | null
  readonly locked: boolean
  readonly awaits: boolean
  /** Null: it has none yet. */
  readonly hash: string | null
  readonly certificateGiven: string | null
  /** The time from which it is refused for a newer one, in microseconds; null: none. */
  readonly endsAt: number | null
  /** True: its first use ends another one; see rotation/step.ts. */
  readonly isNext: boolean
  /** The newer one, while a rotation is open. */
  readonly next: CachedCredential | null
  devmode: boolean
  /** True: its first use is to be noted; see the limit activationRetryMinutes. */
  unused: boolean
}

/** Returns the hash of the credential; empty if it has none. */
export function credentialHash(known: CachedCredential): string {
  const { authType, hash, certificateGiven } = known
  return (authType === 'certificate' ? (certificateGiven ?? hash) : hash) ?? ''
}

export function toCachedCredential(row: CredentialRow | undefined): CachedCredential | undefined {
  if (row === undefined) return undefined
  const next = toNext(row)
  return {
    ...toShared(row),
    devmode: row.devmode,
    unused: row.unused,
    hash: row.credential,
    certificateGiven: row.certificate_given,
    endsAt: next === null ? null : row.rotation_until,
    isNext: false,
    next,
  }
}

function toNext(row: CredentialRow): CachedCredential | null {
  const { next_credential: hash } = row
  if (hash === null) return null
  return {
    ...toShared(row),
    hash,
    certificateGiven: null,
    devmode: row.next_plain === true,
    unused: false,
    endsAt: null,
    isNext: true,
    next: null,
  }
}

function toShared(row: CredentialRow) {
  return {
    connectorId: row.connector_id,
    identity: row.identity,
    authType: row.auth_type,
    locked: row.locked,
    awaits: row.awaits,
  }
}
