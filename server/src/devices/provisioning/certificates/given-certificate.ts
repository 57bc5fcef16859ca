import type { X509Certificate } from 'node:crypto'
import { Fault, invalidField } from '../../../foundation/kernel/index.ts'
import type { Connector } from '../connectors/connector.ts'
import type { KeptCertificate } from '../store/certificates.ts'
import { computeFingerprint } from './certificate.ts'
import { parseOneCertificate } from './client-ca.ts'
import { readClientCertificate, refuseTime } from './client-certificate.ts'

const field = 'auth.key'

/**
 * The certificate that an operator gives to an identity: from then on it alone provisions it. A
 * certificate that would be refused when the device comes with it is refused now, but for a start
 * in the future.
 * @param input one certificate, PEM.
 * @throws Fault `invalid_argument` with the rule that it breaks.
 */
export function parseGivenCertificate(
  { pki }: Connector,
  identity: string,
  input: unknown,
  nowMs: number,
): KeptCertificate {
  const x509 = parseOneCertificate(field, input)
  const certificate = read(x509, pki.enabled ? pki.caPem : null)
  if (certificate.identity !== identity) {
    throw invalidField(field, 'must have the identity as its common name (CN)')
  }
  try {
    refuseTime(certificate, Math.max(nowMs, certificate.from))
  } catch (error) {
    throw error instanceof Fault ? invalidField(field, `is refused: ${error.detail}`) : error
  }
  return { fingerprint: certificate.fingerprint, certificatePem: String(x509) }
}

/** The same of one that is looked at no closer: it is the identity's own already. */
export function readGivenCertificate(input: unknown): KeptCertificate {
  const x509 = parseOneCertificate(field, input)
  return { fingerprint: computeFingerprint(x509), certificatePem: String(x509) }
}

function read(x509: X509Certificate, caPem: string | null) {
  const found = readClientCertificate(x509, caPem)
  if (found instanceof Fault) throw invalidField(field, `is refused: ${found.detail}`)
  return found
}
