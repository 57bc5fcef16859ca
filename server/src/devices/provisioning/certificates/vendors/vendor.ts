import type { Authorities } from '../authority.ts'
import type { CheckedCsr } from '../csr.ts'

/** The names by which a connector's settings choose who signs. */
export const vendorNames = ['internal', 'cfssl', 'est', 'digicert'] as const
export type CertificateVendorName = (typeof vendorNames)[number]

/** The parameters of one signature. */
export type SigningOrder = {
  readonly connectorId: string
  /** The connector's setting, which each vendor defines for itself. Empty: the vendor's default. */
  readonly profile: string
  /** Empty: none. It is never logged, and removed from a vendor's messages. */
  readonly apiKey: string
  /** Calendar months from now. */
  readonly months: number
  /** The vendor's URL, without its path. Empty: its default URL, if it has one. */
  readonly url: string
}

/** A vendor that turns a checked request into a certificate; its answer is not trusted yet. */
export type CertificateVendor = {
  readonly name: CertificateVendorName
  /**
   * @returns the certificate for the request, as PEM; others may stand beside it.
   * @throws Fault `vendor_failed` with the reason for the operator, `invalid_argument` for an
   *   option that the vendor cannot work with, `address_refused`, `overloaded`.
   */
  sign(csr: CheckedCsr, order: SigningOrder): Promise<string>
}

/** The connector's own authority, inside the instance. A profile and an API key mean nothing. */
export function internalVendor(authorities: Authorities): CertificateVendor {
  return {
    name: 'internal',
    sign: (csr, { connectorId, months }) => authorities.issue(connectorId, csr, months),
  }
}
