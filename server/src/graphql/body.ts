import type { IncomingMessage } from 'node:http'
import { Fault, limits } from '../kernel/index.ts'

/**
 * The whole body as text.
 * @throws Fault `too_large` as soon as it is known to be, `malformed_request` where it was cut off.
 */
export function readBody(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length']) > limits.graphqlBodyBytesMax) {
    return Promise.reject(tooLarge())
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limits.graphqlBodyBytesMax) {
        request.off('data', take)
        reject(tooLarge())
      } else chunks.push(chunk)
    }
    request.on('data', take)
    request.on('end', () => resolve(Buffer.concat(chunks, bytes).toString()))
    const cut = () => reject(new Fault('malformed_request', 'The request was cut off.'))
    request.on('error', cut)
    request.on('aborted', cut)
  })
}

function tooLarge(): Fault {
  return new Fault('too_large', `A request has at most ${limits.graphqlBodyBytesMax} bytes.`)
}
