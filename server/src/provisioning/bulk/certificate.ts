import type { X509Certificate } from 'node:crypto'
import { invalidField, limits } from '../../kernel/index.ts'
import { certificatesOf, commonNameOf, fingerprintOf } from '../certificates/certificate.ts'

/**
 * The certificate of a device as a cell holds it: one PEM block, of which the common name is the
 * identity.
 * @returns what it is known by, its SHA-256 in hexadecimal digits, and its end in microseconds.
 * @throws Fault `invalid_argument`.
 */
export function parseCertificateCell(
  field: string,
  cell: string,
  identity: string,
): { readonly fingerprint: string; readonly until: number } {
  const certificate = readCertificate(field, cell.trim())
  if (commonNameOf(certificate) !== identity) {
    throw invalidField(field, 'must have the identity as its common name (CN)')
  }
  const until = certificate.validToDate.getTime() * usPerMs
  return { fingerprint: fingerprintOf(certificate), until }
}

const usPerMs = 1_000

function readCertificate(field: string, pem: string): X509Certificate {
  if (pem.includes('PRIVATE KEY')) {
    throw invalidField(
      field,
      'holds a private key, which must never leave the device: make a new one',
    )
  }
  if (pem.length > limits.certificateCharsMax) {
    throw invalidField(field, `must have at most ${limits.certificateCharsMax} characters`)
  }
  const count = pem.split('-----BEGIN ').length - 1
  if (count > 1)
    throw invalidField(field, `must hold one certificate, and holds ${count} PEM blocks`)
  const [certificate] = certificatesOf(pem, 1) ?? []
  if (certificate === undefined || !pem.startsWith('-----BEGIN ')) {
    throw invalidField(field, 'must be one certificate as PEM')
  }
  return certificate
}
