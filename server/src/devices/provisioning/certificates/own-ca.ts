import { X509Certificate } from 'node:crypto'
import type { Queryable } from '../../../foundation/database/index.ts'
import { invalidField } from '../../../foundation/kernel/index.ts'
import { readAuthority } from '../store/authorities.ts'
import type { Pki } from './pki.ts'

/**
 * Refuses settings under which the built-in authority would sign for devices of a client CA that is
 * another one: what it signs is refused as not that CA's. Settings that were so before stay.
 * @throws Fault `invalid_argument`.
 */
export async function refuseForeignCa(
  database: Queryable,
  connectorId: string,
  before: Pki,
  { enabled, vendor, caPem }: Pki,
): Promise<void> {
  if (!enabled || vendor !== 'internal' || caPem === null) return
  if (before.enabled && before.vendor === vendor && before.caPem === caPem) return
  const own = await readAuthority(database, connectorId)
  if (own !== undefined && isSame(own.certificate, caPem)) return
  throw invalidField(
    'pki.caPem',
    'must be empty with the vendor internal, or the certificate of its own authority',
  )
}

function isSame(one: string, other: string): boolean {
  return new X509Certificate(one).fingerprint256 === new X509Certificate(other).fingerprint256
}
