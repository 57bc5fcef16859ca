import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from './errors.ts'
import { exactText } from './text/text.ts'

/** @throws Fault `wrong_content_type` for a body that would have to be unpacked. */
export function refuseCompressed({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const { 'content-encoding': coding = 'identity' } = headers
  if (coding.toLowerCase() === 'identity') return
  throw new Fault('wrong_content_type', 'The body must not be compressed.')
}

/**
 * The whole body of a request. Bytes behind the limit are read, and not kept.
 * @throws Fault `too_large` as soon as it is known to be, `malformed_request` where it was cut off.
 */
export async function readRequestBody(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
  // An error is made where there is one: its stack costs more than a small body.
  const tooLarge = () => new Fault('too_large', `A body has at most ${bytesMax} bytes.`)
  if (Number(message.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  // Node calls for a head before it parses the body that came with it.
  if (!message.complete) await nextTurn()
  // A message that is destroyed emits nothing more.
  if (message.destroyed) throw cutOff()
  // A body that has come whole needs no listeners.
  if (message.complete && message.readableLength <= bytesMax)
    return message.read() ?? Buffer.alloc(0)
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const body = createGrowing()
  let length = 0
  message.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= bytesMax) body.append(chunk)
    else {
      body.clear()
      reject(tooLarge())
    }
  })
  message.once('end', () => resolve(body.take()))
  message.once('error', (cause) => reject(cutOff(cause)))
  message.once('close', () => {
    if (!message.readableEnded) reject(cutOff())
  })
  return promise
}

/**
 * Calls `act` if the client ends its side of the connection while an answer is under way. It may
 * have gone, or still read.
 */
export function onClientEnd(response: ServerResponse, act: () => void): void {
  const { socket } = response.req
  if (socket.readableEnded) act()
  else {
    socket.once('end', act)
    response.once('close', () => socket.off('end', act))
  }
}

let turn: Promise<void> | undefined

/**
 * Resolves in the next turn of the event loop, once for all that wait in this one: a small body
 * that came with its head is there then.
 */
export function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined
      resolve()
    })
  })
  return turn
}

function cutOff(cause?: Error): Fault {
  return new Fault('malformed_request', 'The request was cut off.', { cause })
}

/** Bytes in one piece, whatever pieces they come in: a chunk of one byte costs its byte. */
function createGrowing() {
  let only: Buffer | undefined
  let held = Buffer.alloc(0)
  let length = 0

  function copy(chunk: Buffer): void {
    if (length + chunk.length > held.length) {
      const grown = Buffer.allocUnsafe(2 * (length + chunk.length))
      held.copy(grown, 0, 0, length)
      held = grown
    }
    chunk.copy(held, length)
    length += chunk.length
  }

  return {
    append(chunk: Buffer): void {
      if (only === undefined && length === 0) {
        only = chunk
        return
      }
      if (only !== undefined) copy(only)
      only = undefined
      copy(chunk)
    },
    clear(): void {
      only = undefined
      held = Buffer.alloc(0)
      length = 0
    },
    take: (): Buffer => only ?? held.subarray(0, length),
  }
}

/**
 * The fields of a form or a query, decoded; the separators are counted before anything is made.
 * @throws Fault `too_complex`
 */
export function formFields(text: string, fieldsMax: number): URLSearchParams {
  let separators = 0
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    separators += 1
    if (separators > fieldsMax) throw tooMany(fieldsMax)
  }
  const fields = new URLSearchParams(withBlanks(text))
  if (fields.size > fieldsMax) throw tooMany(fieldsMax)
  return fields
}

const plus = 0x2b
const blank = 0x20

/**
 * Puts blanks in place of plus signs. URLSearchParams, and replacing each in a text, take 20 times
 * as long.
 */
export function withBlanks(text: string): string {
  if (!text.includes('+')) return text
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === plus) bytes[at] = blank
  return exactText(bytes)
}

function tooMany(fieldsMax: number): Fault {
  return new Fault('too_complex', `A request has at most ${fieldsMax} fields.`)
}

/** Returns the methods that a path answers by those of its routes: HEAD wherever there is GET. */
export function answeredMethods(methods: Iterable<string>): string[] {
  const answered = [...methods].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
  return [...new Set(answered)]
}

/** The name of a header. */
export const headerName = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

/** A header's value, in letters that each stand for a byte: no line end, and no NUL. */
export const headerLetters = /^[\t\x20-\x7e\x80-\xff]*$/

/** Node's HTTP writes one byte for each letter up to 255: so bytes of any kind stay exact. */
export function toLatin1(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : Buffer.from(value)
  return bytes.toString('latin1')
}
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
]

/** Only what this origin serves, and nothing may frame it. No script may stand in the page. */
export function pageHeaders({ stylesInPage }: { readonly stylesInPage: boolean }) {
  const styles = stylesInPage ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'"
  return {
    'content-security-policy': [...policy, styles].join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  }
}

/**
 * Returns whether `If-None-Match` names one of these tags, which it compares weakly, as RFC 9110
 * does.
 */
export function matchesTag(header: string | undefined, etags: readonly string[]): boolean {
  if (header === undefined) return false
  return header.split(',').some((one) => {
    const tag = one.trim().replace(/^W\//, '')
    return tag === '*' || etags.includes(tag)
  })
}
