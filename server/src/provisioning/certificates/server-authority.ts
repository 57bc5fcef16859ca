import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { type Clock, createFileOnce, limits, type Random } from '../../kernel/index.ts'
import { newSerial } from './issue.ts'

/** A server certificate with its key and its issuer, all PEM. */
export type ServerCertificate = { readonly key: string; readonly cert: string }

/**
 * The throw-away certificate authority of an instance: it signs the certificates of the device API
 * for operators that have none of a public authority yet. Clients trust its own certificate.
 */
export type ServerAuthority = {
  /** The file with the authority's certificate, PEM. */
  readonly caFile: string
  /** A certificate for a host name or an address; kept, and made again long before its end. */
  certificateFor(host: string): Promise<ServerCertificate>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000
const caDays = 3_650
const leafDays = 397
const leafKeptDays = 300

/**
 * Opens the authority that lies in `dir`, making it where there is none.
 * @throws Error with a sentence for the operator where its files are damaged.
 */
export async function openServerAuthority(options: {
  readonly dir: string
  readonly clock: Clock
  readonly random: Random
}): Promise<ServerAuthority> {
  const caFile = join(options.dir, 'ca.pem')
  const ca = await openPair(options)
  const leafKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const key = await exportKey(leafKeys.privateKey)
  const kept = new Map<
    string,
    { readonly made: Promise<ServerCertificate>; readonly atMs: number }
  >()

  async function issue(host: string): Promise<ServerCertificate> {
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(options.clock, leafDays),
      serialNumber: newSerial(options.random),
      subject: `CN=${host}`,
      issuer: ca.certificate.subject,
      publicKey: leafKeys.publicKey,
      signingKey: ca.key,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: isIP(host) === 0 ? 'dns' : 'ip', value: host },
        ]),
        new x509.BasicConstraintsExtension(false),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(ca.certificate.publicKey),
      ],
    })
    return { key, cert: `${certificate.toString('pem')}\n${ca.certificate.toString('pem')}\n` }
  }

  return {
    caFile,
    certificateFor(host) {
      const found = kept.get(host)
      const nowMs = options.clock.nowMs()
      if (found !== undefined && nowMs - found.atMs < leafKeptDays * dayMs) return found.made
      if (kept.size >= limits.hostCertificatesMax) kept.delete(kept.keys().next().value ?? '')
      const made = issue(host)
      kept.set(host, { made, atMs: nowMs })
      return made
    },
  }
}

type Authority = { readonly certificate: x509.X509Certificate; readonly key: webcrypto.CryptoKey }

/**
 * The key and its certificate that lie in `dir`. What is missing is made: first the key, then a
 * certificate for the key that lies there, each in one step. So processes that start together
 * agree, and a cut between the two leaves a key whose certificate the next start makes.
 * @throws Error that names the files where they do not belong together or cannot be read.
 */
async function openPair(options: {
  readonly dir: string
  readonly clock: Clock
  readonly random: Random
}): Promise<Authority> {
  const keyFile = join(options.dir, 'ca-key.pem')
  const certificateFile = join(options.dir, 'ca.pem')
  const there = { key: read(keyFile), certificate: read(certificateFile) }
  if (there.key === undefined && there.certificate !== undefined) {
    // The key may have been made since: it is there before its certificate.
    there.key = read(keyFile)
  }
  if (there.key === undefined && there.certificate !== undefined) {
    throw new Error(
      `${keyFile} is missing, the key of the certificate in ${certificateFile}. Put it back from ` +
        `your backup; or remove ${certificateFile}, start again, ` +
        'and give every device the new one.',
    )
  }
  const keyText = there.key ?? createFileOnce(keyFile, await newKey(), 0o600)
  const keys = await importPair(keyFile, keyText)
  const text =
    there.certificate ?? createFileOnce(certificateFile, await selfSigned(options, keys), 0o644)
  const certificate = parseCertificate(certificateFile, text)
  if (!new X509Certificate(text).checkPrivateKey(createPrivateKey(keyText))) {
    throw new Error(
      `The certificate in ${certificateFile} is not of the key in ${keyFile}: no device could ` +
        'trust this instance. Put both back from one backup; or remove ' +
        `${certificateFile}, start again, and give every device the new one.`,
    )
  }
  return { certificate, key: keys.privateKey }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

async function newKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  return exportKey(privateKey)
}

/** Both halves of the key that the file holds. */
async function importPair(file: string, text: string): Promise<webcrypto.CryptoKeyPair> {
  try {
    const privateKey = createPrivateKey(text)
    const publicKey = createPublicKey(privateKey)
    const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' })
    const spki = publicKey.export({ type: 'spki', format: 'der' })
    return {
      privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      publicKey: await crypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
    }
  } catch (error) {
    const why = `${file} does not hold an EC key of the curve P-256, PEM`
    throw new Error(`${why}. Put it back from your backup.`, { cause: error })
  }
}

function parseCertificate(file: string, text: string): x509.X509Certificate {
  try {
    return new x509.X509Certificate(text)
  } catch (error) {
    const why = `${file} does not hold a certificate, PEM`
    throw new Error(`${why}. Put it back from your backup.`, { cause: error })
  }
}

async function selfSigned(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  keys: webcrypto.CryptoKeyPair,
): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(clock, caDays),
    serialNumber: newSerial(random),
    name: 'CN=Millrace throw-away CA',
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

function validity(clock: Clock, days: number) {
  const now = clock.nowMs()
  return { notBefore: new Date(now - dayMs), notAfter: new Date(now + days * dayMs) }
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', key)
  return `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`
}
