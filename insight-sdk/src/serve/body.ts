import type { IncomingMessage } from 'node:http'
import { ModuleError } from '../errors.ts'

/**
 * Reads a request's body as JSON.
 *
 * @throws ModuleError TooLarge past `bytesMax`, InvalidRequest where it is not JSON
 */
export async function readJson(request: IncomingMessage, bytesMax: number): Promise<unknown> {
  const tooLarge = () => new ModuleError('TooLarge', `The body is larger than ${bytesMax} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new ModuleError('InvalidRequest', 'The body is not JSON.')
  }
}
