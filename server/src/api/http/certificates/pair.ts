import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/** The files of a certificate with its chain, and of its key. */
export type PairFiles = { readonly cert: string; readonly key: string }

/** A server certificate of the operator's with its key. */
export type Pair = {
  readonly files: PairFiles
  /** PEM. */
  readonly cert: string
  readonly key: string
  /** The kind of its key: rsa, ec, ed25519. */
  readonly kind: string
  /** The names and addresses that it is for, in lower case; `*.` stands before a domain. */
  readonly names: readonly string[]
  /** Milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** @throws Error with a sentence that names the file. */
export function readPair(files: PairFiles): Pair {
  const cert = read(files.cert)
  const [leaf, issuer] = parseChain(files.cert, cert)
  if (leaf === undefined) throw new Error(`${files.cert} holds no certificate, PEM`)
  if (issuer !== undefined && !leaf.checkIssued(issuer)) {
    const order = 'the certificate comes first, then the one that signed it'
    throw new Error(`${files.cert} is not a chain: ${order}`)
  }
  const key = read(files.key)
  const secret = parseKey(files.key, key)
  if (!leaf.checkPrivateKey(secret)) {
    throw new Error(`The certificate in ${files.cert} is not of the key in ${files.key}`)
  }
  const names = listNames(leaf)
  if (names.length === 0) {
    throw new Error(`The certificate in ${files.cert} names no host (subjectAltName)`)
  }
  return {
    files,
    cert,
    key,
    kind: secret.asymmetricKeyType ?? '',
    names,
    from: leaf.validFromDate.getTime(),
    until: leaf.validToDate.getTime(),
  }
}

/**
 * Returns whether a certificate with such a name is for the host, and whether it states it in full.
 */
export function matchHost(
  names: readonly string[],
  host: string,
): 'exact' | 'wildcard' | undefined {
  if (names.includes(host)) return 'exact'
  if (isIP(host) !== 0) return undefined
  const dot = host.indexOf('.')
  return dot > 0 && names.includes(`*${host.slice(dot)}`) ? 'wildcard' : undefined
}

function listNames({ subjectAltName = '' }: X509Certificate): string[] {
  const found = subjectAltName.matchAll(/(?:^|, )(?:DNS|IP Address):([^,"]+)/g)
  return [...found].map(([, name = '']) => {
    const lower = name.toLowerCase()
    return isIP(lower) === 6 ? new URL(`http://[${lower}]`).hostname.slice(1, -1) : lower
  })
}

function parseChain(file: string, text: string): X509Certificate[] {
  return [...text.matchAll(pemBlock)].map(([block]) => {
    try {
      return new X509Certificate(block)
    } catch (cause) {
      throw new Error(`${file} holds a certificate that cannot be read`, { cause })
    }
  })
}

function parseKey(file: string, text: string) {
  try {
    return createPrivateKey(text)
  } catch (cause) {
    throw new Error(`${file} holds no key, PEM, without a password`, { cause })
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`${file} cannot be read (${(cause as Error).message})`, { cause })
  }
}
