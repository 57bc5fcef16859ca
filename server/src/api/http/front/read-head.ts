import type { Socket } from 'node:net'

/** The value at the start of a connection, and how many bytes of it are not passed on. */
export type Head<Value> = { readonly value: Value; readonly length: number }

/** Undefined as long as more bytes are needed. @throws Error if they can become no head. */
export type ParseHead<Value> = (bytes: Buffer) => Head<Value> | undefined

/**
 * Reads what stands at the start of a connection, before anything else reads from it; what follows
 * is left to be read.
 * @throws Error: it is none, is longer than `bytesMax`, or did not come within `ms`.
 */
export function readHead<Value>(
  socket: Socket,
  parse: ParseHead<Value>,
  { bytesMax, ms }: { readonly bytesMax: number; readonly ms: number },
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  let bytes: Buffer = Buffer.alloc(0)
  const timer = setTimeout(() => end(() => reject(new Error('it did not come in time'))), ms)
  const broke = () => end(() => reject(new Error('the connection ended before')))
  function end(settle: () => void): void {
    clearTimeout(timer)
    socket.off('readable', look)
    socket.off('end', broke)
    socket.off('close', broke)
    socket.off('error', broke)
    settle()
  }
  function look(): void {
    const chunk: Buffer | null = socket.read()
    if (chunk === null) return
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    try {
      const head = parse(bytes)
      if (head === undefined && bytes.length < bytesMax) return
      if (head === undefined || head.length > bytesMax) throw new Error('it is too long')
      const { value, length } = head
      const rest = bytes.subarray(length)
      end(() => {
        if (rest.length > 0) socket.unshift(rest)
        resolve(value)
      })
    } catch (error) {
      end(() => reject(error))
    }
  }
  socket.on('readable', look)
  socket.on('end', broke)
  socket.on('close', broke)
  socket.on('error', broke)
  return promise
}
