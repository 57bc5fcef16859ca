import { ModuleError } from '../errors.ts'

/** Reads a body from its pieces as text. @throws ModuleError TooLarge past `bytesMax` */
export async function readText(
  pieces: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of pieces) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function tooLarge(bytesMax: number): ModuleError {
  return new ModuleError('TooLarge', `The body is larger than ${bytesMax} bytes.`)
}

/** @throws ModuleError InvalidRequest for a text that is not JSON */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ModuleError('InvalidRequest', 'The body is not JSON.')
  }
}
