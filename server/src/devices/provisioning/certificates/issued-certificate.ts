import type { X509Certificate } from 'node:crypto'
import { Fault } from '../../../foundation/kernel/index.ts'
import { computeFingerprint, parseCertificates, readCommonName } from './certificate.ts'
import type { CheckedCsr } from './csr.ts'
import { formatPem } from './pem.ts'

/** Certificates in a vendor's answer, or in a connector's client CA. */
const vendorCertificatesMax = 20

/** A certificate from a vendor, after the checks against its request. */
export type SignedCertificate = {
  /** The device's own certificate and nothing else. */
  readonly certificatePem: string
  /** SHA-256 of the certificate's DER, in lower-case hexadecimal. */
  readonly fingerprint: string
  /** Milliseconds. */
  readonly notAfter: number
}

type Expectation = {
  readonly csr: CheckedCsr
  readonly vendor: string
  readonly nowMs: number
  /** The certificates that the connector trusts, PEM; empty: whatever the vendor signs. */
  readonly caPem: string
}

/**
 * Checks the certificate in a vendor's answer: the certificate must be for the request's key and
 * its name, in force, for clients, no authority, and signed by whom the connector trusts.
 * @throws Fault `vendor_failed` with what is wrong.
 */
export function acceptIssued(pem: string, expected: Expectation): SignedCertificate {
  const { csr, nowMs, caPem } = expected
  const failed = (what: string) =>
    new Fault('vendor_failed', `The certificate vendor ${expected.vendor} ${what}.`)
  const certificate = ownAmong(pem, csr, failed)
  if (readCommonName(certificate) !== csr.commonName) {
    throw failed('answered with a certificate for another common name (CN)')
  }
  const notAfter = certificate.validToDate.getTime()
  if (!(notAfter > nowMs)) throw failed('answered with a certificate that has expired')
  if (certificate.ca) throw failed('answered with a certificate of an authority')
  if (!servesClients(certificate)) {
    throw failed('answered with a certificate that is not for client authentication')
  }
  if (caPem !== '' && !isSignedByAny(certificate, caPem)) {
    throw failed("answered with a certificate that the connector's client CA has not signed")
  }
  const certificatePem = formatPem('CERTIFICATE', certificate.raw)
  return { certificatePem, fingerprint: computeFingerprint(certificate), notAfter }
}

/** The one for the request's key; a vendor may send its chain beside it. */
function ownAmong(pem: string, csr: CheckedCsr, failed: (what: string) => Fault): X509Certificate {
  const certificates = parseCertificates(pem, vendorCertificatesMax)
  if (certificates === undefined || certificates.length === 0) {
    throw failed('answered without a certificate that can be read')
  }
  const own = certificates.find((one) => holdsKey(one, csr))
  if (own === undefined) throw failed('answered with a certificate for another key')
  return own
}

function holdsKey(certificate: X509Certificate, csr: CheckedCsr): boolean {
  try {
    return certificate.publicKey.equals(csr.publicKey)
  } catch {
    return false
  }
}

const clientAuth = '1.3.6.1.5.5.7.3.2'
const anyUsage = '2.5.29.37.0'

/** Without a word about its use it is for every use. */
function servesClients({ keyUsage }: X509Certificate): boolean {
  const usages: readonly string[] | undefined = keyUsage
  return usages === undefined || usages.some((usage) => usage === clientAuth || usage === anyUsage)
}

function isSignedByAny(certificate: X509Certificate, caPem: string): boolean {
  const trusted = parseCertificates(caPem, vendorCertificatesMax) ?? []
  return trusted.some((ca) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey))
}
