import { createHash, X509Certificate } from 'node:crypto'
import { Fault } from '../../../foundation/kernel/index.ts'
import { readCommonNames } from '../identities/subject.ts'
import { type Element, readElementAlone, readElements, tags } from './der.ts'

/** The key of a device's certificate: SHA-256 of its DER, in lower-case hexadecimal. */
export function computeFingerprint(certificate: X509Certificate): string {
  return createHash('sha256').update(certificate.raw).digest('hex')
}

/**
 * The common name of a certificate, where it has exactly one that is text. It is read from the
 * certificate's bytes: the text of a whole subject can be written to look like another.
 */
export function readCommonName(certificate: X509Certificate): string | undefined {
  try {
    const [name, ...others] = readCommonNames(readSubject(certificate.raw))
    return others.length === 0 ? name : undefined
  } catch (error) {
    if (error instanceof Fault && error.code === 'malformed_request') return undefined
    throw error
  }
}

/** The serial number that the authority gave the certificate, as `serialText` writes it. */
export function readSerial(certificate: X509Certificate): string {
  const [serial] = readParts(certificate.raw)
  if (serial?.tag === tags.integer) return serialText(serial)
  throw new Fault('malformed_request', 'The certificate has no serial number.')
}

/** In hexadecimal digits, without the zeros before it. */
export function serialText({ content }: Element): string {
  return content.toString('hex').replace(/^(?:00)+/, '')
}

/** The name by which an authority signs, as it is encoded. */
export function readSubject(der: Buffer): Element {
  const subject = readParts(der)[4]
  if (subject?.tag === tags.sequence) return subject
  throw new Fault('malformed_request', 'The certificate has no subject.')
}

/** After the version, which has a tag of its own: serial, algorithm, issuer, validity, subject. */
function readParts(der: Buffer): Element[] {
  const [signed] = readElements(readElementAlone(der, tags.sequence).content)
  const parts = readElements(signed?.content ?? Buffer.alloc(0))
  return parts.filter(({ tag }) => tag !== tags.context0)
}

const block = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g

/** The certificates of a PEM text, at most so many; undefined where one of them is none. */
export function parseCertificates(pem: string, countMax: number): X509Certificate[] | undefined {
  const blocks = pem.match(block) ?? []
  if (blocks.length > countMax) return undefined
  try {
    return blocks.map((text) => new X509Certificate(text))
  } catch {
    return undefined
  }
}
