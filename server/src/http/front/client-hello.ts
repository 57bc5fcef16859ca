import type { Head } from './read-head.ts'

const recordHeadBytes = 5
const handshakeRecord = 22
const clientHello = 1
const signatureAlgorithms = 13
/** The low byte of the signature schemes of ECDSA. */
const ecdsaScheme = 0x03
/** The suites of TLS 1.2 and earlier that an ECDSA certificate serves. */
const ecdsaSuites = new Set([
  ...[0xc008, 0xc009, 0xc00a, 0xc023, 0xc024, 0xc02b, 0xc02c],
  ...[0xc072, 0xc073, 0xc086, 0xc087, 0xc0ac, 0xc0ad, 0xc0ae, 0xc0af, 0xcca9],
])
/** The suites of TLS 1.3, which name no kind of key. */
const isAnyKey = (suite: number) => suite >> 8 === 0x13

/**
 * Whether a client takes a certificate with an ECDSA key, by the first record of its handshake.
 * What is no such record is left to the TLS server, which refuses it.
 * @returns undefined as long as more bytes are needed; no byte is taken.
 */
export function parseTakesEcdsa(bytes: Buffer): Head<boolean> | undefined {
  if (bytes.length < recordHeadBytes) return undefined
  if (bytes[0] !== handshakeRecord) return { value: true, length: 0 }
  const end = recordHeadBytes + bytes.readUInt16BE(3)
  if (bytes.length < end) return undefined
  return { value: takesEcdsa(bytes.subarray(recordHeadBytes, end)), length: 0 }
}

function takesEcdsa(message: Buffer): boolean {
  try {
    if (message[0] !== clientHello) return true
    let at = 4 + 2 + 32
    at += 1 + message.readUInt8(at)
    const suites = numbersIn(message, at + 2, message.readUInt16BE(at))
    at += 2 + message.readUInt16BE(at)
    at += 1 + message.readUInt8(at)
    const schemes = schemesIn(message, at)
    const hasScheme = schemes?.some((scheme) => (scheme & 0xff) === ecdsaScheme)
    if (suites.some((suite) => ecdsaSuites.has(suite))) return hasScheme !== false
    return suites.some(isAnyKey) && hasScheme === true
  } catch (error) {
    // A hello that goes on in the next record is longer than those of clients that know only RSA.
    if (error instanceof RangeError) return true
    throw error
  }
}

function schemesIn(message: Buffer, from: number): number[] | undefined {
  if (from >= message.length) return undefined
  const end = from + 2 + message.readUInt16BE(from)
  for (let at = from + 2; at < end; ) {
    const [kind, length] = [message.readUInt16BE(at), message.readUInt16BE(at + 2)]
    if (kind === signatureAlgorithms)
      return numbersIn(message, at + 6, message.readUInt16BE(at + 4))
    at += 4 + length
  }
  return undefined
}

function numbersIn(bytes: Buffer, from: number, length: number): number[] {
  return Array.from({ length: length >> 1 }, (_, at) => bytes.readUInt16BE(from + 2 * at))
}
