import { Fault, parseJson, type Static, type TSchema } from '../kernel/index.ts'
import type { StreamBody } from './contract/contract.ts'
import { createBodyParser } from './contract/validation.ts'
import type { Call } from './route.ts'

/** Reads a JSON body that may be larger than other bodies. */
export async function readJson<Schema extends TSchema>(
  { bytes, headers }: Pick<Call, 'bytes' | 'headers'>,
  { bytesMax, schema }: StreamBody & { readonly schema: Schema },
): Promise<Static<Schema>> {
  refuseLength(headers, bytesMax)
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new Fault('wrong_content_type')
  }
  return createBodyParser(schema)(jsonIn(await collectBytes(bytes, bytesMax)))
}

/** Before a byte of it is read. @throws Fault too_large */
export function refuseLength(headers: Call['headers'], bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw new Fault('too_large')
}

/** @throws Fault too_large as soon as more has come. */
export async function collectBytes(
  bytes: AsyncIterable<Buffer>,
  bytesMax: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > bytesMax) throw new Fault('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('malformed_request', 'The body is no JSON.', { cause: error })
  }
}
