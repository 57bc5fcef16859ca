import {
  decodeChunks,
  Fault,
  nextTurn,
  parseJsonInTurns,
  Type,
} from '../../foundation/kernel/index.ts'
import type { StreamBody } from './contract/contract.ts'
import { createBodyParser } from './contract/validation.ts'
import type { Call } from './operation.ts'

/** Reads a JSON body that may be larger than other bodies. */
export async function readJson(
  { bytes, headers }: Pick<Call, 'bytes' | 'headers'>,
  { bytesMax, schema = Type.Unknown() }: StreamBody,
): Promise<unknown> {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new Fault('wrong_content_type')
  }
  const value = await jsonIn(await decodeChunks(limited(bytes, bytesMax)))
  await nextTurn()
  return createBodyParser(schema)(value)
}

/** Before a byte of it is read. @throws Fault too_large */
export function refuseLength(headers: Call['headers'], { stream, bytesMax }: StreamBody): void {
  // A form has more bytes than its file.
  if (stream.includes('multipart/form-data')) return
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw new Fault('too_large')
}

/** @throws Fault too_large as soon as more has come. */
export async function collectBytes(
  bytes: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of limited(bytes, bytesMax)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @throws Fault too_large as soon as more has come. */
export async function* limited(
  bytes: AsyncIterable<Buffer>,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > bytesMax) throw new Fault('too_large')
    yield chunk
  }
}

async function jsonIn(text: string): Promise<unknown> {
  try {
    return await parseJsonInTurns(text)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('malformed_request', 'The body is not JSON.', { cause: error })
  }
}
