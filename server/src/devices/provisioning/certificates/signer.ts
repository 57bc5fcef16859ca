import { type Clock, Fault, limits, Semaphore } from '../../../foundation/kernel/index.ts'
import type { Outbound } from '../../../foundation/outbound/index.ts'
import { provisioningLimits } from '../limits.ts'
import type { Authorities } from './authority.ts'
import { checkCsr } from './csr.ts'
import { acceptIssued, type SignedCertificate } from './issued-certificate.ts'
import { cfsslVendor } from './vendors/cfssl.ts'
import { digicertVendor } from './vendors/digicert.ts'
import { estVendor } from './vendors/est.ts'
import type { CertificateVendor, CertificateVendorName } from './vendors/vendor.ts'
import { internalVendor } from './vendors/vendor.ts'

/** A connector's choice of who signs, with the API key as it is sent. */
export type VendorChoice = {
  readonly vendor: CertificateVendorName
  readonly profile?: string
  readonly apiKey?: string
  readonly validityMonths?: number | null
  readonly url?: string
  /** The connector's client CA, PEM: what is signed must be signed by one of its certificates. */
  readonly caPem?: string
}

export type Signer = {
  /**
   * Checks a signing request, has it signed, and checks what came back. Nothing is stored.
   * @throws Fault `csr_refused` with the rule; `vendor_failed` with the reason for the operator;
   *   `invalid_argument`, `address_refused`, `overloaded`, `secret_unreadable`.
   */
  sign(
    connectorId: string,
    identity: string,
    csrPem: unknown,
    choice: VendorChoice,
  ): Promise<SignedCertificate>
}

export type SignerOptions = {
  readonly authorities: Authorities
  readonly outbound: Outbound
  readonly clock: Clock
}

export function createSigner({ authorities, outbound, clock }: SignerOptions): Signer {
  const vendors: Readonly<Record<CertificateVendorName, CertificateVendor>> = {
    internal: internalVendor(authorities),
    cfssl: cfsslVendor(outbound, clock),
    est: estVendor(outbound),
    digicert: digicertVendor(outbound, clock),
  }
  const limited = limitVendorCalls()
  return {
    async sign(connectorId, identity, csrPem, choice) {
      const csr = checkCsr(csrPem, identity)
      const { vendor, profile = '', apiKey = '', url = '', caPem = '' } = choice
      const months = checkMonths(choice)
      const order = { connectorId, profile, apiKey, months, url }
      const pem = await limited(connectorId, () => vendors[vendor].sign(csr, order))
      return acceptIssued(pem, { csr, vendor, caPem, nowMs: clock.nowMs() })
    },
  }
}

/** Runs a call of a vendor for a connector. */
type VendorCalls = <Result>(connectorId: string, call: () => Promise<Result>) => Promise<Result>

/**
 * A vendor may be slow, and its calls hold what the whole process shares: so a connector has few of
 * them under way at once, and the process not many.
 */
export function limitVendorCalls(): VendorCalls {
  const semaphore = new Semaphore({
    max: provisioningLimits.vendorCallsMax,
    refusal: () =>
      new Fault('overloaded', 'Too many requests are being signed. Try again.', {
        retryAfterS: limits.retryAfterS,
      }),
  })
  return (key, call) =>
    semaphore.run([{ key, max: provisioningLimits.vendorCallsOfConnectorMax }], call)
}

function checkMonths({ validityMonths }: VendorChoice): number {
  const months = validityMonths ?? provisioningLimits.certificateMonthsDefault
  const { certificateMonthsMax: max } = provisioningLimits
  if (Number.isSafeInteger(months) && months >= 1 && months <= max) return months
  throw new Fault('invalid_argument', `validityMonths must be a whole number from 1 to ${max}`)
}
