import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { OutboundError } from './errors.ts'

/** `deflate` is decided by the first byte: half the servers leave the wrapper of zlib out. */
const decoders: Readonly<Record<string, (first: number) => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}

/**
 * The whole body of an answer, decompressed. Both what comes over the wire and what it unfolds to
 * are held under the cap while they stream, so a small bomb ends at the cap, too.
 * @throws OutboundError too_large or broken
 */
export async function readBody(
  body: Readable,
  headers: IncomingHttpHeaders,
  bytesMax: number,
): Promise<Buffer> {
  const encoding = readCoding(headers)
  const decoder = hasCoding(headers) ? decoders[encoding] : undefined
  if (hasCoding(headers) && decoder === undefined) {
    body.on('error', () => undefined).destroy()
    throw new OutboundError('broken', 'the answer has an unknown encoding')
  }
  if (isTooLong(headers, bytesMax)) {
    body.on('error', () => undefined).destroy()
    throw tooLarge(bytesMax)
  }
  if (decoder === undefined) return whole(body, bytesMax)
  return collect(await decoded(capped(body, bytesMax), decoder, bytesMax))
}

function readCoding(headers: IncomingHttpHeaders): string {
  return String(headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase()
}

/** Returns whether a body is to be decoded. */
export function hasCoding(headers: IncomingHttpHeaders): boolean {
  return !['', 'identity'].includes(readCoding(headers))
}

/** Returns whether the headers declare more bytes. */
export function isTooLong(headers: IncomingHttpHeaders, bytesMax: number): boolean {
  return Number(headers['content-length']) > bytesMax
}

/** By its events: most answers are small, and an iterator costs more than they do. */
function whole(body: Readable, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes <= bytesMax) return
      reject(tooLarge(bytesMax))
      body.destroy()
    })
    body.once('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks)),
    )
    body.on('error', reject)
    const broke = () => reject(new OutboundError('broken', 'the answer broke off'))
    body.once('close', () => {
      if (!body.readableEnded) broke()
    })
    if (body.destroyed && !body.readableEnded) broke()
  })
}

const empty = Buffer.alloc(0)

/** Decodes a body; an empty one stays empty, whatever its encoding. */
async function decoded(
  wire: AsyncGenerator<Buffer>,
  decoder: (first: number) => Transform,
  bytesMax: number,
): Promise<AsyncIterable<Buffer>> {
  const head = await wire.next()
  if (head.done === true) return wire
  const whole = async function* () {
    yield head.value
    yield* wire
  }
  return capped(
    pipeline(whole, decoder(head.value[0] ?? 0), () => undefined),
    bytesMax,
  )
}

async function* capped(stream: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    yield chunk
  }
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export function tooLarge(bytesMax: number): OutboundError {
  return new OutboundError('too_large', `the answer is larger than ${bytesMax} bytes`)
}
