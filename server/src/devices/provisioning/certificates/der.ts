import { Fault } from '../../../foundation/kernel/index.ts'
import { provisioningLimits } from '../limits.ts'

/** An element of an ASN.1 encoding. */
export type Element = {
  /** Its identifier octet, such as `tags.sequence`. */
  readonly tag: number
  readonly content: Buffer
  /** The whole of it, as it came. */
  readonly bytes: Buffer
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** `[0]`, constructed. */
  context0: 0xa0,
} as const

/**
 * Rules for reading hostile bytes, one level at a time: each byte is read once or twice, and
 * elements that nothing requests are skipped, so that the length of the bytes bounds the work.
 */
export type Encoding = {
  /** True if lengths may be left open (BER), as some servers write them. */
  readonly openLengths?: boolean
}

/** The elements that fill the bytes exactly. @throws Fault `malformed_request`. */
export function readElements(bytes: Buffer, encoding: Encoding = {}): Element[] {
  const found: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const { element, end } = readElement(bytes, at, encoding, 0)
    found.push(element)
    at = end
  }
  return found
}

/** The one element that the bytes are. @throws Fault `malformed_request`. */
export function readElementAlone(bytes: Buffer, tag: number, encoding: Encoding = {}): Element {
  const [element, ...rest] = readElements(bytes, encoding)
  if (element?.tag !== tag || rest.length > 0) throw malformed()
  return element
}

type Read = { readonly element: Element; readonly end: number }

function readElement(bytes: Buffer, at: number, encoding: Encoding, depth: number): Read {
  const tag = byteAt(bytes, at)
  // Tags of more than one octet occur in none of the forms that are read here.
  if ((tag & 0x1f) === 0x1f) throw malformed()
  const first = byteAt(bytes, at + 1)
  if (first === 0x80 && encoding.openLengths === true && (tag & 0x20) !== 0) {
    return readOpen(bytes, at, encoding, depth)
  }
  const { length, start } = readLength(bytes, at + 1, first)
  const end = start + length
  if (end > bytes.length) throw malformed()
  const whole = { bytes: bytes.subarray(at, end), content: bytes.subarray(start, end) }
  return { element: { tag, ...whole }, end }
}

/** An element without a length ends where two zeros stand in the place of its next part. */
function readOpen(bytes: Buffer, at: number, encoding: Encoding, depth: number): Read {
  if (depth > provisioningLimits.derDepthMax) throw malformed()
  const start = at + 2
  let next = start
  while (byteAt(bytes, next) !== 0 || byteAt(bytes, next + 1) !== 0) {
    next = readElement(bytes, next, encoding, depth + 1).end
  }
  const end = next + 2
  const content = bytes.subarray(start, next)
  return { element: { tag: byteAt(bytes, at), content, bytes: bytes.subarray(at, end) }, end }
}

/** Up to 16 MiB less one; what takes more octets than it needs is no DER. */
function readLength(bytes: Buffer, at: number, first: number) {
  if (first < 0x80) return { length: first, start: at + 1 }
  const octets = first & 0x7f
  if (octets === 0 || octets > 3 || at + octets >= bytes.length) throw malformed()
  const length = bytes.readUIntBE(at + 1, octets)
  if (length < 0x80 || length < 2 ** (8 * (octets - 1))) throw malformed()
  return { length, start: at + 1 + octets }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw malformed()
  return byte
}

/** The content of a BIT STRING of whole octets. @throws Fault `malformed_request`. */
export function readBits({ tag, content }: Element): Buffer {
  if (tag !== tags.bitString || content[0] !== 0) throw malformed()
  return content.subarray(1)
}

/** An object identifier with dots. @throws Fault `malformed_request`. */
export function readObjectId({ tag, content }: Element): string {
  const ends = content.length > 0 && (content.at(-1) ?? 0) < 0x80
  if (tag !== tags.objectId || !ends || content.length > provisioningLimits.objectIdBytesMax)
    throw malformed()
  const numbers: bigint[] = []
  let number = 0n
  for (const byte of content) {
    number = (number << 7n) | BigInt(byte & 0x7f)
    if (byte >= 0x80) continue
    numbers.push(number)
    number = 0n
  }
  const [first = 0n, ...rest] = numbers
  const root = first < 80n ? first / 40n : 2n
  return [root, first - root * 40n, ...rest].join('.')
}

function malformed(): Fault {
  return new Fault('malformed_request', 'The bytes are not the ASN.1 that was expected.')
}
