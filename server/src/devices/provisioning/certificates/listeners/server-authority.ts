import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'
import { createFileOnce, Fault, limits } from '../../../../foundation/kernel/index.ts'
import { replaceServerAuthority as replaceStored } from '../../store/server-authority.ts'
import { newSerial } from '../issue.ts'
import {
  agreeOnPair,
  algorithm,
  authorityFiles,
  exportKey,
  importKeys,
  newPair,
  readPair,
  type ServerPairOptions,
  seal,
  storedPair,
  validity,
} from './server-pair.ts'

/** A server certificate with its key and its issuer, all PEM. */
export type ServerCertificate = { readonly key: string; readonly cert: string }

/**
 * The throw-away certificate authority of an instance, one for all its processes: it signs the
 * certificates of the device API for operators that have none of a public authority yet. Clients
 * trust its own certificate.
 */
export type ServerAuthority = {
  /** A file with a copy of the authority's certificate, PEM. */
  readonly caFile: string
  /** A certificate for a host name or an address; kept, and made again long before its end. */
  certificateFor(host: string): Promise<ServerCertificate>
}

const dayMs = 86_400_000
const leafDays = 397
const leafKeptDays = 300

type Issuer = { readonly certificate: x509.X509Certificate; readonly key: webcrypto.CryptoKey }

/**
 * Opens the authority of the instance, making it where there is none.
 * @throws Fault `authority_differs`, `secret_unreadable`; Error that names a damaged file.
 */
export async function openServerAuthority(options: ServerPairOptions): Promise<ServerAuthority> {
  const ca = await openIssuer(options)
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
    caFile: authorityFiles(options.dir).certificate,
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

/** @throws Fault as `agreeOnPair`. */
async function openIssuer(options: ServerPairOptions): Promise<Issuer> {
  const { key, certificate } = await agreeOnPair(options)
  const { privateKey } = await importKeys(key, 'The CA of the instance, in the database,')
  return { certificate: new x509.X509Certificate(certificate), key: privateKey }
}

/**
 * Puts the authority of a folder, or a new one, in the place of that of the instance. Processes
 * that run go on with the one before.
 * @returns its certificate, PEM.
 * @throws Error that names the files of the folder where they cannot be used.
 */
export async function replaceServerAuthority(
  options: Omit<ServerPairOptions, 'dir' | 'logger'> & { readonly from: string | undefined },
): Promise<string> {
  const { from, database } = options
  const given = from === undefined ? undefined : await readPair({ ...options, dir: from })
  if (from !== undefined && given === undefined) {
    throw new Error(`${authorityFiles(from).key} is missing, the key of the CA.`)
  }
  const pair = given ?? (await newPair(options))
  await replaceStored(database, seal(pair, options))
  return pair.certificate
}

/**
 * Writes the authority of the instance into files of a folder.
 * @throws Fault `already_exists`, `not_found`, `secret_unreadable`; no file is changed then.
 */
export async function exportServerAuthority(
  options: Pick<ServerPairOptions, 'database' | 'secrets' | 'dir'>,
): Promise<void> {
  const { key, certificate } = await storedPair(options)
  const files = authorityFiles(options.dir)
  const kept = [
    createFileOnce(files.key, key, 0o600) === key,
    createFileOnce(files.certificate, certificate, 0o644) === certificate,
  ]
  if (kept.includes(false)) {
    throw new Fault('already_exists', `${options.dir} has files of another CA; they stay.`)
  }
}
