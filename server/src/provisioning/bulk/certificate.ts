import type { X509Certificate } from 'node:crypto'
import { limits } from '../../kernel/index.ts'
import { certificatesOf, commonNameOf, fingerprintOf } from '../certificate.ts'
import { invalid } from '../parse.ts'

/**
 * The certificate of a device as a cell holds it: one PEM block, of which the common name is the
 * identity.
 * @returns what it is known by: its SHA-256, in hexadecimal digits.
 * @throws Fault `invalid_argument`.
 */
export function parseCertificateCell(field: string, cell: string, identity: string): string {
  const certificate = readCertificate(field, cell.trim())
  if (commonNameOf(certificate) !== identity) {
    throw invalid(field, 'must have the identity as its common name (CN)')
  }
  return fingerprintOf(certificate)
}

function readCertificate(field: string, pem: string): X509Certificate {
  if (pem.includes('PRIVATE KEY')) {
    throw invalid(field, 'holds a private key, which must never leave the device: make a new one')
  }
  if (pem.length > limits.certificateCharsMax) {
    throw invalid(field, `must have at most ${limits.certificateCharsMax} characters`)
  }
  const count = pem.split('-----BEGIN ').length - 1
  if (count > 1) throw invalid(field, `must hold one certificate, and holds ${count} PEM blocks`)
  const [certificate] = certificatesOf(pem, 1) ?? []
  if (certificate === undefined || !pem.startsWith('-----BEGIN ')) {
    throw invalid(field, 'must be one certificate as PEM')
  }
  return certificate
}
