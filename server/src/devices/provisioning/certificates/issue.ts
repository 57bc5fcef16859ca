import 'reflect-metadata'
import type { KeyObject, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { Random } from '../../../foundation/kernel/index.ts'

/** Milliseconds since 1970. */
export type Validity = { readonly notBefore: number; readonly notAfter: number }

/** An authority that may sign. */
export type Issuer = {
  /** PEM */
  readonly certificate: string
  /** PKCS #8, PEM. */
  readonly key: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const serialBytes = 16

/** A new authority that signs devices' certificates and nothing below it. */
export async function makeIssuer(
  name: string,
  { notBefore, notAfter }: Validity,
  random: Random,
): Promise<Issuer> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const flags = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    serialNumber: newSerial(random),
    name: commonName(name),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(flags, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificate: pemLines(certificate.toString('pem')), key: await keyText(keys.privateKey) }
}

/**
 * A certificate with which a device proves its identity to a server, and nothing else.
 * @returns PEM
 */
export async function issueClient(
  issuer: Issuer,
  subject: { readonly identity: string; readonly publicKey: KeyObject },
  { notBefore, notAfter }: Validity,
  random: Random,
): Promise<string> {
  const authority = new x509.X509Certificate(issuer.certificate)
  const publicKey = new x509.PublicKey(subject.publicKey.export({ type: 'spki', format: 'der' }))
  const certificate = await x509.X509CertificateGenerator.create({
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    serialNumber: newSerial(random),
    subject: commonName(subject.identity),
    issuer: authority.subjectName,
    publicKey,
    signingKey: await signingKey(issuer.key),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  })
  return pemLines(certificate.toString('pem'))
}

/** 127 random bits, positive, and never shorter than its bytes. */
export function newSerial(random: Random): string {
  const bytes = random(serialBytes)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

/** As a value and not as text: an identity may hold every sign that a text of names is made of. */
function commonName(name: string): x509.Name {
  return new x509.Name([{ CN: [{ utf8String: name }] }])
}

async function signingKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [pkcs8 = new ArrayBuffer(0)] = x509.PemConverter.decode(pem)
  return crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
}

async function keyText(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', key)
  return pemLines(x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'))
}

function pemLines(pem: string): string {
  return `${pem.trim()}\n`
}
