import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { OutboundError } from './errors.ts'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
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
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase()
  const plain = encoding === '' || encoding === 'identity'
  const decoder = plain ? undefined : decoders[encoding]
  if (!plain && decoder === undefined) {
    body.on('error', () => undefined).destroy()
    throw new OutboundError('broken', `the answer has the unknown encoding ${encoding}`)
  }
  if (Number(headers['content-length']) > bytesMax) {
    body.on('error', () => undefined).destroy()
    throw tooLarge(bytesMax)
  }
  return decoder === undefined
    ? collect(body, bytesMax)
    : collect(decoded(body, decoder(), bytesMax), bytesMax)
}

function decoded(body: Readable, decoder: Transform, bytesMax: number): Readable {
  let bytes = 0
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bytesMax) body.destroy(tooLarge(bytesMax))
  })
  return pipeline(body, decoder, () => undefined)
}

async function collect(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

function tooLarge(bytesMax: number): OutboundError {
  return new OutboundError('too_large', `the answer is larger than ${bytesMax} bytes`)
}
