import type { Head } from './read-head.ts'

const recordHeadBytes = 5
const handshakeRecord = 22
const clientHello = 1
const [signatureAlgorithms, applicationProtocols] = [13, 16]
/** The low byte of the signature schemes of ECDSA. */
const ecdsaScheme = 0x03
/** The suites of TLS 1.2 and earlier that an ECDSA certificate serves. */
const ecdsaSuites = new Set([
  0xc008, 0xc009, 0xc00a, 0xc023, 0xc024, 0xc02b, 0xc02c, 0xc072, 0xc073, 0xc086, 0xc087, 0xc0ac,
  0xc0ad, 0xc0ae, 0xc0af, 0xcca9,
])
/** The suites of TLS 1.3, which name no kind of key. */
const isAnyKey = (suite: number) => suite >> 8 === 0x13

/** The offers of a client at the start of a handshake. */
export type ClientHello = {
  /** True if it takes a certificate with an ECDSA key. */
  readonly takesEcdsa: boolean
  /** The names of ALPN. */
  readonly protocols: readonly string[]
}

/** Other bytes than the start of a handshake go to the TLS server, which refuses them. */
const unknown: ClientHello = { takesEcdsa: true, protocols: [] }

/**
 * Parses the first record of a handshake.
 * @returns undefined as long as more bytes are needed; no byte is taken.
 */
export function parseClientHello(bytes: Buffer): Head<ClientHello> | undefined {
  if (bytes.length < recordHeadBytes) return undefined
  if (bytes[0] !== handshakeRecord) return { value: unknown, length: 0 }
  const end = recordHeadBytes + bytes.readUInt16BE(3)
  if (bytes.length < end) return undefined
  return { value: parseMessage(bytes.subarray(recordHeadBytes, end)), length: 0 }
}

function parseMessage(message: Buffer): ClientHello {
  try {
    if (message[0] !== clientHello) return unknown
    let at = 4 + 2 + 32
    at += 1 + message.readUInt8(at)
    const suites = numbersIn(message, at + 2, message.readUInt16BE(at))
    at += 2 + message.readUInt16BE(at)
    at += 1 + message.readUInt8(at)
    const extensions = extensionsIn(message, at)
    const schemes = extensions.get(signatureAlgorithms)
    const named = schemes && numbersIn(schemes, 2, schemes.readUInt16BE(0))
    const names = extensions.get(applicationProtocols)
    return {
      takesEcdsa: takesEcdsa(suites, named),
      protocols: names === undefined ? [] : textsIn(names, 2),
    }
  } catch (error) {
    // A hello that goes on in the next record is longer than those of clients that know only RSA.
    if (error instanceof RangeError) return unknown
    throw error
  }
}

function takesEcdsa(suites: readonly number[], schemes: readonly number[] | undefined): boolean {
  const hasScheme = schemes?.some((scheme) => (scheme & 0xff) === ecdsaScheme)
  if (suites.some((suite) => ecdsaSuites.has(suite))) return hasScheme !== false
  return suites.some(isAnyKey) && hasScheme === true
}

function extensionsIn(message: Buffer, from: number): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  if (from >= message.length) return found
  const end = from + 2 + message.readUInt16BE(from)
  for (let at = from + 2; at < end; ) {
    const [kind, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)]
    found.set(kind, message.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}

function numbersIn(bytes: Buffer, from: number, length: number): number[] {
  return Array.from({ length: length >> 1 }, (_, at) => bytes.readUInt16BE(from + 2 * at))
}

/** Texts behind their lengths, which are a byte each. */
function textsIn(bytes: Buffer, from: number): string[] {
  const texts: string[] = []
  for (let at = from; at < bytes.length; at += 1 + bytes.readUInt8(at)) {
    texts.push(bytes.toString('latin1', at + 1, at + 1 + bytes.readUInt8(at)))
  }
  return texts
}
