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
  // A message that is destroyed emits nothing more.
  if (message.destroyed) throw cutOff()
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
