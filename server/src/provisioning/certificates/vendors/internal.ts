import type { Authorities } from '../authority.ts'
import type { CertificateVendor } from './vendor.ts'

/** The connector's own authority, inside the instance. A profile and an API key mean nothing. */
export function internalVendor(authorities: Authorities): CertificateVendor {
  return {
    name: 'internal',
    sign: (csr, { connectorId, months }) => authorities.issue(connectorId, csr, months),
  }
}
