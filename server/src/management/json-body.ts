import { Fault, parseJson, type Static, type TSchema } from '../kernel/index.ts'
import type { StreamBody } from './contract/contract.ts'
import { createBodyParser } from './contract/validation.ts'
import type { Call } from './route.ts'

/** Reads a JSON body that may be larger than other bodies. */
export async function readJson<Schema extends TSchema>(
  { bytes, headers }: Pick<Call, 'bytes' | 'headers'>,
  { bytesMax, schema }: StreamBody & { readonly schema: Schema },
): Promise<Static<Schema>> {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw new Fault('too_large')
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new Fault('wrong_content_type')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > bytesMax) throw new Fault('too_large')
    chunks.push(chunk)
  }
  return createBodyParser(schema)(jsonIn(Buffer.concat(chunks)))
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString('utf8'))
  } catch (error) {
    throw new Fault('malformed_request', 'The body is no JSON.', { cause: error })
  }
}
