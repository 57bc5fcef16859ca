import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import {
  createSettingsParser,
  Fault,
  Nullable,
  omitUndefined,
  type Static,
  type TSchemaOptions,
  Type,
} from '../../../foundation/kernel/index.ts'
import type { GuestTls } from '../../../foundation/outbound/index.ts'
import { httpClientLimits } from './limits.ts'

function refused(rule: string): Fault {
  return new Fault('invalid_argument', `sslOptions ${rule}`)
}

/** PEM texts, of which none is repeated in a message. */
export function createSslOptionsSchema(more: TSchemaOptions = {}) {
  const pem = (title: string, description: string) => {
    const text = {
      maxLength: httpClientLimits.httpPemCharsMax,
      contentMediaType: 'application/x-pem-file',
    }
    return Type.Optional(Nullable(Type.String(text), { title, description }))
  }
  return Type.Object(
    {
      key: pem('Key', 'The key of the client certificate, as PEM.'),
      cert: pem('Certificate', 'The client certificate, as PEM.'),
      cacerts: pem('Authorities', 'The authorities to trust, as PEM: one or several.'),
    },
    { description: 'For TLS: `key` and `cert` together, and `cacerts`, as PEM texts.', ...more },
  )
}

type SslOptions = Static<ReturnType<typeof createSslOptionsSchema>>

/** @throws Fault invalid_argument */
export const parseSslOptions = createSettingsParser(createSslOptionsSchema, 'sslOptions')

/**
 * Checks that a key and its certificate come together, and that the texts can be used.
 * @throws Fault invalid_argument
 */
export function readSslOptions(given: SslOptions): GuestTls | undefined {
  const [key, cert, ca] = [
    given.key || undefined,
    given.cert || undefined,
    given.cacerts || undefined,
  ]
  if ((key === undefined) !== (cert === undefined))
    throw refused('has key without cert, or cert without key')
  if (key !== undefined && cert !== undefined) checkPair(key, cert)
  if (ca !== undefined) checkAuthorities(ca)
  if (key === undefined && ca === undefined) return undefined
  return omitUndefined({ key, cert, ca })
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
