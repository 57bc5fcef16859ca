import { X509Certificate } from 'node:crypto'
import { invalidField, limits } from '../../kernel/index.ts'

/**
 * The one certificate of an authority in a PEM text. What stands around it is dropped, as openssl
 * writes explanations there.
 * @param field names it in the refusal.
 * @returns PEM
 * @throws Fault `invalid_argument` with the rule: it must be PEM, one certificate and nothing
 *   else, of an authority, with a key that is not weak.
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
  if (key !== undefined && key < limits.rsaBitsMin) {
    throw invalidField(field, `must have an RSA key of at least ${limits.rsaBitsMin} bits`)
  }
  return String(certificate)
}

const begins = /-----BEGIN ([^-\r\n]*)-----/g

/** The same for the certificate of anybody. @throws Fault `invalid_argument` with the rule. */
export function parseOneCertificate(field: string, input: unknown): X509Certificate {
  if (typeof input !== 'string') throw invalidField(field, 'must be a certificate as PEM text')
  if (input.length > limits.certificateCharsMax) {
    throw invalidField(field, `must have at most ${limits.certificateCharsMax} characters`)
  }
  const kinds = [...input.matchAll(begins)].map(([, kind = '']) => kind)
  if (kinds.length === 0) {
    throw invalidField(field, 'must be PEM: it holds no line -----BEGIN CERTIFICATE-----')
  }
  if (kinds.some((kind) => kind.includes('PRIVATE KEY'))) {
    throw invalidField(field, 'must not hold a private key: send the certificate alone')
  }
  if (kinds.some((kind) => kind !== 'CERTIFICATE')) {
    throw invalidField(field, 'must hold a certificate and nothing else')
  }
  if (kinds.length > 1) {
    throw invalidField(field, `must hold exactly one certificate; it holds ${kinds.length}`)
  }
  return readCertificate(field, input)
}

function readCertificate(field: string, pem: string): X509Certificate {
  try {
    const certificate = new X509Certificate(pem)
    // Some keys are found to be unknown only when they are read.
    certificate.publicKey.export({ type: 'spki', format: 'der' })
    return certificate
  } catch {
    throw invalidField(field, 'must be a certificate that can be read')
  }
}
