import type { IncomingMessage } from 'node:http'
import { Fault } from './errors.ts'

/**
 * The whole body of a request. What comes behind the limit is read, and not kept.
 * @throws Fault `too_large` as soon as it is known to be, `malformed_request` where it was cut off.
 */
export async function readRequestBody(message: IncomingMessage, bytesMax: number): Promise<Buffer> {
  // An error is made where there is one: its stack costs more than a small body.
  const tooLarge = () => new Fault('too_large', `A body has at most ${bytesMax} bytes.`)
  if (Number(message.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  message.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= bytesMax) chunks.push(chunk)
    else {
      chunks.length = 0
      reject(tooLarge())
    }
  })
  message.once('end', () => resolve(Buffer.concat(chunks)))
  message.once('error', (cause) => reject(cutOff(cause)))
  message.once('close', () => {
    if (!message.complete) reject(cutOff())
  })
  return promise
}

function cutOff(cause?: Error): Fault {
  return new Fault('malformed_request', 'The request was cut off.', { cause })
}
