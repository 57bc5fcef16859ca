import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Fault, limits } from '../../kernel/index.ts'
import type { GuestTls } from '../../outbound/index.ts'

function refused(rule: string): Fault {
  return new Fault('invalid_argument', `sslOptions ${rule}`)
}

/**
 * Reads `{key, cert, cacerts}`, PEM texts all. A key and its certificate come together; `cacerts`
 * may hold several. No message repeats anything of them.
 * @throws Fault invalid_argument
 */
export function parseSslOptions(given: unknown): GuestTls | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refused('must be an object')
  }
  const fields = given as Readonly<Record<string, unknown>>
  const [key, cert, ca] = [pem(fields, 'key'), pem(fields, 'cert'), pem(fields, 'cacerts')]
  if ((key === undefined) !== (cert === undefined))
    throw refused('has key without cert, or cert without key')
  if (key !== undefined && cert !== undefined) checkPair(key, cert)
  if (ca !== undefined) checkAuthorities(ca)
  if (key === undefined && ca === undefined) return undefined
  return {
    ...(key === undefined ? {} : { key }),
    ...(cert === undefined ? {} : { cert }),
    ...(ca === undefined ? {} : { ca }),
  }
}

function pem(fields: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const text = fields[field] ?? undefined
  if (text === undefined || text === '') return undefined
  if (typeof text !== 'string') throw refused(`has a ${field} that is not a string`)
  const { httpPemCharsMax } = limits
  if (text.length > httpPemCharsMax)
    throw refused(`has a ${field} of over ${httpPemCharsMax} characters`)
  return text
}

/** OpenSSL itself checks whether it can use the two: a key with a passphrase it cannot. */
function checkPair(key: string, cert: string): void {
  try {
    createSecureContext({ key, cert })
  } catch {
    throw refused('has a key and a cert that are not PEM, or do not belong together')
  }
}

const certificates = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** OpenSSL ignores what it cannot read, and would then trust no one, without an error. */
function checkAuthorities(ca: string): void {
  const found = ca.match(certificates) ?? []
  if (found.length === 0) throw refused('has cacerts without a PEM certificate')
  try {
    for (const one of found) new X509Certificate(one)
  } catch {
    throw refused('has a certificate in cacerts that cannot be read')
  }
}
