import { isUtf8 } from 'node:buffer'
import { Fault } from '../errors.ts'

/** U+FEFF, which editors and spreadsheets write at the start of a file. */
const byteOrderMark = '\uFEFF'
const markBytes = Buffer.from(byteOrderMark)

/** Returns a text that came from outside without the byte order mark at its start. */
export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text
}

/**
 * Returns the text of bytes that came from outside, without a byte order mark; undefined if they
 * are not UTF-8.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? withoutMark(exactText(bytes)) : undefined
}

/** Returns the bytes behind a byte order mark. */
export function bytesWithoutMark(bytes: Buffer): Buffer {
  // The whole body is not searched for the mark, since a body may be large.
  const isMarked = bytes.subarray(0, markBytes.length).equals(markBytes)
  return isMarked ? bytes.subarray(markBytes.length) : bytes
}

/** Returns how a device encoded its bytes: some firmware sends Latin-1. */
export function detectEncoding(bytes: Uint8Array): 'utf8' | 'latin1' {
  return isUtf8(bytes) ? 'utf8' : 'latin1'
}

/** The same; Latin-1, a letter for each byte, if they are not UTF-8. */
export function decodeTextOrLatin1(bytes: Uint8Array): string {
  return decodeText(bytes) ?? toBuffer(bytes).toString('latin1')
}

/** The same. @throws Fault `malformed_request` if they are not UTF-8. */
export function requireText(bytes: Uint8Array): string {
  const text = decodeText(bytes)
  if (text === undefined) throw new Fault('malformed_request', 'The body is not UTF-8.')
  return text
}

/** The same of bytes that come in chunks, each decoded when it comes. @throws Fault */
export async function decodeChunks(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  const add = (chunk?: Uint8Array) => {
    try {
      text += decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw new Fault('malformed_request', 'The body is not UTF-8.', { cause })
    }
  }
  for await (const chunk of chunks) add(chunk)
  add()
  return text
}

/** Returns text that is shown to people: U+FFFD stands for each byte that is not UTF-8. */
export function readableText(bytes: Uint8Array): string {
  return withoutMark(exactText(bytes))
}

/** Returns bytes as scripts get them: a text with every byte if they are UTF-8, else bytes. */
export function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  return isUtf8(bytes) ? exactText(bytes) : new Uint8Array(bytes)
}

/** Returns the text of bytes that Millrace itself wrote, or that are known to be UTF-8. */
export function exactText(bytes: Uint8Array): string {
  return toBuffer(bytes).toString('utf8')
}

function toBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
