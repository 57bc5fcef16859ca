import { X509Certificate } from 'node:crypto'
import { invalidField } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'
import { derOfPem } from './pem.ts'

/**
 * The one certificate of an authority in a PEM text. Text around it is dropped, as openssl writes
 * explanations there.
 * @param field names it in the refusal.
 * @returns PEM
 * @throws Fault `invalid_argument` with the rule: it must be PEM, one certificate and nothing else,
 * of an authority, with a key that is not weak.
 */
export function parseClientCa(field: string, input: unknown): string {
  const certificate = parseOneCertificate(field, input)
  if (!certificate.ca) {
    throw invalidField(
      field,
      'must be the certificate of an authority: its basicConstraints lack CA',
    )
  }
  const key = certificate.publicKey.asymmetricKeyDetails?.modulusLength
  if (key !== undefined && key < provisioningLimits.rsaBitsMin) {
    throw invalidField(
      field,
      `must have an RSA key of at least ${provisioningLimits.rsaBitsMin} bits`,
    )
  }
  return String(certificate)
}

/** The same for the certificate of anybody. @throws Fault `invalid_argument` with the rule. */
export function parseOneCertificate(field: string, input: unknown): X509Certificate {
  if (typeof input !== 'string') throw invalidField(field, 'must be a certificate as PEM text')
  if (input.length > provisioningLimits.certificateCharsMax) {
    throw invalidField(
      field,
      `must have at most ${provisioningLimits.certificateCharsMax} characters`,
    )
  }
  const rule = (text: string) => invalidField(field, text)
  return readCertificate(field, derOfPem(input, 'CERTIFICATE', rule))
}

function readCertificate(field: string, der: Buffer): X509Certificate {
  try {
    const certificate = new X509Certificate(der)
    // Some keys are found to be unknown only when they are read.
    certificate.publicKey.export({ type: 'spki', format: 'der' })
    return certificate
  } catch {
    throw invalidField(field, 'must be a certificate that can be read')
  }
}
