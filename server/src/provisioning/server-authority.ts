import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { type Clock, limits, type Random } from '../kernel/index.ts'
import { newSerial } from './issue.ts'

/** A server certificate with its key and its issuer, all PEM. */
export type ServerCertificate = { readonly key: string; readonly cert: string }

/**
 * The throw-away certificate authority of an instance: it makes the certificates of the device
 * door for who has none of a public authority yet. Its own certificate is what clients trust.
 */
export type ServerAuthority = {
  /** The file with the authority's certificate, PEM. */
  readonly caFile: string
  /** A certificate for a host name or an address; made when first asked for, then kept. */
  certificateFor(host: string): Promise<ServerCertificate>
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000
const caDays = 3_650
const leafDays = 397

/** Opens the authority that lies in `dir`, making it where there is none. */
export async function openServerAuthority(options: {
  readonly dir: string
  readonly clock: Clock
  readonly random: Random
}): Promise<ServerAuthority> {
  const caFile = join(options.dir, 'ca.pem')
  const ca = (await load(options.dir)) ?? (await make(options))
  const leafKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const key = await exportKey(leafKeys.privateKey)
  const kept = new Map<string, Promise<ServerCertificate>>()

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
      if (found !== undefined) return found
      if (kept.size >= limits.hostCertificatesMax) kept.delete(kept.keys().next().value ?? '')
      const made = issue(host)
      kept.set(host, made)
      return made
    },
  }
}

type Authority = { readonly certificate: x509.X509Certificate; readonly key: webcrypto.CryptoKey }

async function load(dir: string): Promise<Authority | undefined> {
  try {
    const certificate = new x509.X509Certificate(await readFile(join(dir, 'ca.pem'), 'utf8'))
    const [pkcs8] = x509.PemConverter.decode(await readFile(join(dir, 'ca-key.pem'), 'utf8'))
    if (pkcs8 === undefined) return undefined
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign'])
    return { certificate, key }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The key is written first: a certificate without its key would lock the instance out. */
async function make(options: {
  readonly dir: string
  readonly clock: Clock
  readonly random: Random
}): Promise<Authority> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(options.clock, caDays),
    serialNumber: newSerial(options.random),
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
  await mkdir(options.dir, { recursive: true })
  await writeSafely(join(options.dir, 'ca-key.pem'), await exportKey(keys.privateKey), 0o600)
  await writeSafely(join(options.dir, 'ca.pem'), `${certificate.toString('pem')}\n`, 0o644)
  return { certificate, key: keys.privateKey }
}

/** A cut leaves the old file or the new one, never half of one. */
async function writeSafely(file: string, text: string, mode: number): Promise<void> {
  await writeFile(`${file}.new`, text, { mode })
  await rename(`${file}.new`, file)
}

function validity(clock: Clock, days: number) {
  const now = clock.nowMs()
  return { notBefore: new Date(now - dayMs), notAfter: new Date(now + days * dayMs) }
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', key)
  return `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`
}
