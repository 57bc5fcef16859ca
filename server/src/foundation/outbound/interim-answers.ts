import type { Socket } from 'node:net'

const lineEnd = '\r\n\r\n'
/** The beginning of an unrequested `100 Continue`. */
const start = /^HTTP\/1\.[01] 100(?= |\r)/
const startChars = 'HTTP/1.1 100 '.length

/**
 * Removes unrequested answers `100 Continue` from the bytes of a socket: RFC 9110, 15.2
 * wants them parsed, and undici ends the connection at them. Only what follows the head of a
 * request is looked at; undici writes heads as texts, and bodies as bytes.
 * @param bytesMax the bytes of one such answer; a longer one is left as it is.
 */
export function withoutContinue<S extends Socket>(socket: S, bytesMax: number): S {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  let isHead = false
  let held: Buffer = Buffer.alloc(0)

  socket.write = ((...args: unknown[]) => {
    if (typeof args[0] === 'string') isHead = true
    return write(...args)
  }) as S['write']
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (!isHead) return chunk
      if (chunk === null) return handOver(socket.readableEnded ? held : undefined)
      held = Buffer.concat([held, chunk])
      const rest = behindContinue(held, bytesMax)
      if (rest === undefined) continue
      isHead = false
      return handOver(rest)
    }
  }
  return socket

  function handOver(bytes: Buffer | undefined): Buffer | null {
    if (bytes === undefined || bytes.length === 0) return null
    held = Buffer.alloc(0)
    return bytes
  }
}

/** Returns the bytes after answers `100`; undefined while more are needed to decide. */
function behindContinue(bytes: Buffer, bytesMax: number): Buffer | undefined {
  let rest = bytes
  while (start.test(rest.toString('latin1', 0, startChars))) {
    const end = rest.indexOf(lineEnd)
    if (end < 0) return rest.length > bytesMax ? rest : undefined
    rest = rest.subarray(end + lineEnd.length)
  }
  const isOpen = rest.length < startChars && mayBegin(rest.toString('latin1'))
  return isOpen ? undefined : rest
}

function mayBegin(text: string): boolean {
  return ['HTTP/1.1 100 ', 'HTTP/1.0 100 ', 'HTTP/1.1 100\r', 'HTTP/1.0 100\r'].some((one) =>
    one.startsWith(text),
  )
}
