import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import type { Queryable } from '../../../../foundation/database/index.ts'
import {
  type Clock,
  Fault,
  type Logger,
  type Random,
  replaceFile,
} from '../../../../foundation/kernel/index.ts'
import type { Secrets } from '../../credentials/secrets.ts'
import { insertServerAuthority, readServerAuthority } from '../../store/server-authority.ts'
import { newSerial } from '../issue.ts'

/** The key of the instance's authority and its certificate, both PEM. */
export type ServerPair = { readonly key: string; readonly certificate: string }

export type ServerPairOptions = {
  readonly database: Queryable
  readonly secrets: Pick<Secrets, 'seal' | 'open'>
  /** The folder `tls` of the data directory. */
  readonly dir: string
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** The context in which the key is sealed. */
const context = 'server authority'
const caDays = 3_650
const dayMs = 86_400_000
export const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * Returns the authority of the instance, which lies in its database. If there is none, that of the
 * folder becomes it, where a version of before kept it; else a new one. If processes start
 * together, the first row counts. The folder gets a copy of the certificate.
 * @throws Fault `authority_differs`, `secret_unreadable`; Error that names a damaged file.
 */
export async function agreeOnPair(options: ServerPairOptions): Promise<ServerPair> {
  const { database, dir } = options
  // The folder first: a copy that another process has put there is in the database by then.
  const copy = read(authorityFiles(dir).certificate)
  const there = await readPair(options)
  if ((await readServerAuthority(database)) === undefined) {
    if (there === undefined) refuseLostKey(dir, copy)
    await insertServerAuthority(database, seal(there ?? (await newPair(options)), options))
  }
  const pair = await storedPair(options)
  if (there !== undefined && !isSame(there.certificate, pair.certificate)) throw differs(dir)
  keepCopy(options, copy, pair.certificate)
  return pair
}

/**
 * Returns whether there is a CA of the instance, and no key that could open it: a start then ends,
 * and must make no other key before.
 */
export async function isKeyLost({
  database,
  secrets,
}: {
  readonly database: Queryable
  readonly secrets: Pick<Secrets, 'isMissing'>
}): Promise<boolean> {
  return secrets.isMissing() && (await readServerAuthority(database)) !== undefined
}

/** @throws Fault `secret_unreadable`; `not_found` before the first start. */
export async function storedPair({
  database,
  secrets,
}: Pick<ServerPairOptions, 'database' | 'secrets'>): Promise<ServerPair> {
  const row = await readServerAuthority(database)
  if (row === undefined) {
    throw new Fault('not_found', 'There is no CA of the instance yet: its first start makes it.')
  }
  try {
    return { key: secrets.open(row.sealedKey, context), certificate: row.certificate }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(
      error.code,
      `The CA of the instance, which its devices trust, cannot be used. ${error.detail} ` +
        'Where that key is lost, millrace authority replace puts a CA of files, or a new one, in ' +
        'its place.',
      { cause: error },
    )
  }
}

/** The row of the database that holds it. */
export function seal(
  { key, certificate }: ServerPair,
  { secrets, clock }: Pick<ServerPairOptions, 'secrets' | 'clock'>,
) {
  return { certificate, sealedKey: secrets.seal(key, context), createdAt: clock.nowUs() }
}

/**
 * The pair that lies in a folder; a key that lies alone gets a certificate.
 * @returns undefined without a key.
 * @throws Error that names the files where they do not belong together or cannot be read.
 */
export async function readPair(
  options: Pick<ServerPairOptions, 'dir' | 'clock' | 'random'>,
): Promise<ServerPair | undefined> {
  const files = authorityFiles(options.dir)
  const key = read(files.key)
  if (key === undefined) return undefined
  const keys = await importKeys(key, files.key)
  const pair = { key, certificate: read(files.certificate) ?? (await selfSigned(keys, options)) }
  refuseForeign(options.dir, pair)
  return pair
}

/** Both halves of a key. @throws Error that names where it lies. */
export async function importKeys(text: string, where: string): Promise<webcrypto.CryptoKeyPair> {
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
    const why = `${where} does not hold an EC key of the curve P-256, PEM`
    throw new Error(`${why}. Put it back from your backup.`, { cause: error })
  }
}

export async function newPair(
  options: Pick<ServerPairOptions, 'clock' | 'random'>,
): Promise<ServerPair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  return { key: await exportKey(keys.privateKey), certificate: await selfSigned(keys, options) }
}

/** PKCS #8, PEM. */
export async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', key)
  return `${x509.PemConverter.encode(pkcs8, 'PRIVATE KEY')}\n`
}

export function validity(clock: Clock, days: number) {
  const now = clock.nowMs()
  return { notBefore: new Date(now - dayMs), notAfter: new Date(now + days * dayMs) }
}

async function selfSigned(
  keys: webcrypto.CryptoKeyPair,
  { clock, random }: Pick<ServerPairOptions, 'clock' | 'random'>,
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

/** The files of an authority in a folder. */
export function authorityFiles(dir: string): {
  readonly key: string
  readonly certificate: string
} {
  return { key: join(dir, 'ca-key.pem'), certificate: join(dir, 'ca.pem') }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

/** A certificate without its key, in the folder and in the database, is one that is lost. */
function refuseLostKey(dir: string, certificate: string | undefined): void {
  if (certificate === undefined) return
  const files = authorityFiles(dir)
  throw new Error(
    `${files.key} is missing, the key of the certificate in ${files.certificate}, and the ` +
      'database has no CA. Put the file back from your backup; or remove ' +
      `${files.certificate}, start again, and give every device the new one.`,
  )
}

function refuseForeign(dir: string, { key, certificate }: ServerPair): void {
  const files = authorityFiles(dir)
  let parsed: X509Certificate
  try {
    parsed = new X509Certificate(certificate)
  } catch (error) {
    const why = `${files.certificate} does not hold a certificate, PEM`
    throw new Error(`${why}. Put it back from your backup.`, { cause: error })
  }
  if (parsed.checkPrivateKey(createPrivateKey(key))) return
  throw new Error(
    `The certificate in ${files.certificate} is not of the key in ${files.key}: no device could ` +
      'trust this instance. Put both back from one backup; or remove ' +
      `${files.certificate}, start again, and give every device the new one.`,
  )
}

function isSame(one: string, other: string): boolean {
  return new X509Certificate(one).fingerprint256 === new X509Certificate(other).fingerprint256
}

function differs(dir: string): Fault {
  const files = authorityFiles(dir)
  return new Fault(
    'authority_differs',
    `The CA in ${files.key} and ${files.certificate} is another than that of the instance, which ` +
      'is in the database. If devices trust the one of the database, move both files away, and ' +
      'start again. If they trust the one of the files, stop all processes and run ' +
      `millrace authority replace --from ${dir}`,
  )
}

/** For tools and people: the platform itself reads the database. */
function keepCopy({ dir, logger }: ServerPairOptions, before: string | undefined, text: string) {
  if (before === text) return
  const { certificate: file } = authorityFiles(dir)
  if (before !== undefined) logger.warn({ file }, 'a copy of another CA certificate was replaced')
  replaceFile(file, text, 0o644)
}
