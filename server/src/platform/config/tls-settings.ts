import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { commaList } from '../../foundation/kernel/index.ts'

/** The server certificates of an operator, beside those of the instance's own authority. */
export type TlsSettings = {
  readonly pairs: readonly CertificateFiles[]
  /** A folder of more of them. */
  readonly folder: string | undefined
  /** True if TLS 1.2 may do without forward secrecy, for firmware that supports nothing else. */
  readonly rsaKeyExchange: boolean
  readonly acme: AcmeSettings | undefined
}

/** The absolute paths of a certificate with its chain, and of its key. */
type CertificateFiles = { readonly cert: string; readonly key: string }

/** The order of certificates from an ACME server (RFC 8555). */
type AcmeSettings = {
  readonly url: string
  /** The host names of the certificate; `*.` before a domain needs the hook. */
  readonly names: readonly string[]
  readonly email: string | undefined
  /** A program that sets TXT records; undefined: challenges are answered over HTTP. */
  readonly dnsHook: string | undefined
  /** The authority of the ACME server itself, PEM; undefined: the usual ones. */
  readonly ca: string | undefined
  readonly keys: readonly KeyKind[]
}

type KeyKind = 'ecdsa' | 'rsa'

export const tlsSettings = [
  {
    name: 'MILLRACE_TLS_CERT',
    default: '',
    meaning: 'Server certificates with their chains, PEM files, separated by commas.',
  },
  {
    name: 'MILLRACE_TLS_KEY',
    default: '',
    meaning: 'The files of their keys, in the same order.',
  },
  {
    name: 'MILLRACE_TLS_FOLDER',
    default: '',
    meaning: 'More certificates by name: x.crt with x.key, x/fullchain.pem with x/privkey.pem.',
  },
  {
    name: 'MILLRACE_TLS_RSA_KEY_EXCHANGE',
    default: 'off',
    meaning: 'on: TLS 1.2 takes AES128-GCM-SHA256 (no forward secrecy) from old firmware.',
  },
  {
    name: 'MILLRACE_ACME_NAMES',
    default: '',
    meaning: 'Host names of a certificate that is ordered by ACME, separated by commas.',
  },
  {
    name: 'MILLRACE_ACME_URL',
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    meaning: 'The directory of the ACME server.',
  },
  {
    name: 'MILLRACE_ACME_EMAIL',
    default: '',
    meaning: 'The address that the ACME server writes to, if it wants one.',
  },
  {
    name: 'MILLRACE_ACME_KEYS',
    default: 'ecdsa',
    meaning: 'The kinds of key to order certificates for: ecdsa, rsa, or both.',
  },
  {
    name: 'MILLRACE_ACME_DNS_HOOK',
    default: '',
    meaning: 'A program that sets TXT records for ACME. Empty: HTTP-01, at MILLRACE_HTTP.',
  },
  {
    name: 'MILLRACE_ACME_CA',
    default: '',
    meaning: "A file with the authority of the ACME server's own certificate, PEM.",
  },
] as const

type TlsSettingName = (typeof tlsSettings)[number]['name']

const hostName = /^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

/** @throws Error with a sentence that names the setting that is wrong. */
export function readTls(value: (name: TlsSettingName) => string, base: string): TlsSettings {
  const given = value('MILLRACE_TLS_FOLDER')
  return {
    pairs: parsePairs(
      commaList(value('MILLRACE_TLS_CERT')),
      commaList(value('MILLRACE_TLS_KEY')),
      base,
    ),
    folder: given === '' ? undefined : resolve(base, given),
    rsaKeyExchange: parseOn('MILLRACE_TLS_RSA_KEY_EXCHANGE', value),
    acme: readAcme(value, base),
  }
}

function parsePairs(certs: string[], keys: string[], base: string): CertificateFiles[] {
  if (certs.length !== keys.length) {
    throw new Error(
      `MILLRACE_TLS_CERT names ${certs.length} files and MILLRACE_TLS_KEY ${keys.length}; ` +
        'each certificate needs its key, in the same order',
    )
  }
  return certs.map((cert, at) => ({
    cert: resolve(base, cert),
    key: resolve(base, keys[at] ?? ''),
  }))
}

function readAcme(value: (name: TlsSettingName) => string, base: string): AcmeSettings | undefined {
  const names = commaList(value('MILLRACE_ACME_NAMES').toLowerCase())
  if (names.length === 0) return undefined
  const hook = value('MILLRACE_ACME_DNS_HOOK')
  for (const name of names) {
    if (!hostName.test(name)) {
      throw new Error(`MILLRACE_ACME_NAMES has "${name}"; it should be host names`)
    }
    if (name.startsWith('*.') && hook === '') {
      throw new Error(`MILLRACE_ACME_NAMES has "${name}", which needs MILLRACE_ACME_DNS_HOOK`)
    }
  }
  return {
    url: parseUrl(value('MILLRACE_ACME_URL')),
    names,
    email: value('MILLRACE_ACME_EMAIL') || undefined,
    dnsHook: hook === '' ? undefined : resolve(base, hook),
    ca: readCa(value('MILLRACE_ACME_CA'), base),
    keys: parseKinds(commaList(value('MILLRACE_ACME_KEYS'))),
  }
}

function parseUrl(text: string): string {
  if (URL.parse(text)?.protocol === 'https:') return text
  throw new Error(`MILLRACE_ACME_URL is "${text}"; it should be an https URL`)
}

function parseKinds(kinds: readonly string[]): KeyKind[] {
  return kinds.map((kind) => {
    if (kind === 'ecdsa' || kind === 'rsa') return kind
    throw new Error(`MILLRACE_ACME_KEYS has "${kind}"; it should be ecdsa, rsa, or both`)
  })
}

function readCa(text: string, base: string): string | undefined {
  if (text === '') return undefined
  const file = resolve(base, text)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`MILLRACE_ACME_CA: ${file} cannot be read: ${(error as Error).message}`)
  }
}

function parseOn(name: TlsSettingName, value: (name: TlsSettingName) => string): boolean {
  const text = value(name)
  if (text === 'on' || text === 'off') return text === 'on'
  throw new Error(`${name} is "${text}"; it should be one of on, off`)
}
