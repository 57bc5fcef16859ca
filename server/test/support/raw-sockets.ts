import { connect } from 'node:net'
import type { TestContext } from 'node:test'
import type { EndpointsBench } from './endpoints.ts'
import { inTime } from './sockets.ts'

/** A frame as it came over the wire. */
export type RawFrame = { readonly opcode: number; readonly payload: Buffer }

export type FrameOptions = {
  /** False: more of the message follows. */
  readonly fin?: boolean
  /** False: as no client may send it. */
  readonly masked?: boolean
  /** Bits that extensions use. */
  readonly rsv?: number
}

export const opcodes = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

const mask = Buffer.from([1, 2, 3, 4])

/** A frame of a client, right or wrong. */
export function frameBytes(
  opcode: number,
  payload: string | Buffer = '',
  { fin = true, masked = true, rsv = 0 }: FrameOptions = {},
): Buffer {
  const bytes = Buffer.from(payload)
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode
  const bit = masked ? 0x80 : 0
  const head =
    bytes.length < 126
      ? Buffer.from([first, bit | bytes.length])
      : Buffer.from([first, bit | 126, bytes.length >> 8, bytes.length & 0xff])
  if (!masked) return Buffer.concat([head, bytes])
  return Buffer.concat([head, mask, bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0))])
}

/** The request of a handshake; a header that is undefined is left out. */
export function handshakeText(
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): string {
  const all = {
    Host: 'pump.localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => {
    return value === undefined ? [] : [`${name}: ${value}\r\n`]
  })
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export type RawSocket = {
  /** The answer to the handshake, head and, where it was refused, body. */
  readonly answer: Promise<string>
  write(bytes: Buffer | string): void
  /** The next frame that is not among the pings. */
  next(): Promise<RawFrame>
  /** From now on nothing is read. */
  pause(): void
  /** The code of the close frame that comes next, leaving what comes before it. */
  closeCode(): Promise<number>
  /** Once the connection is gone. */
  readonly gone: Promise<void>
  destroy(): void
}

/** A connection that says what it is told to, byte by byte, and answers nothing by itself. */
export function rawSocket(
  t: Pick<TestContext, 'after'>,
  { millrace }: Pick<EndpointsBench, 'millrace'>,
  first: Buffer | string,
): RawSocket {
  const { hostname, port } = new URL(millrace.httpUrl)
  const socket = connect(Number(port), hostname)
  t.after(() => socket.destroy())
  const { promise: gone, resolve: end } = Promise.withResolvers<void>()
  let received: Buffer = Buffer.alloc(0)
  let wake = () => {}
  let ended = false
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    ended = true
    end()
    wake()
  })
  socket.write(first)

  /** What `take` finds in what came, once it finds something. */
  async function found<Value>(take: () => Value | undefined): Promise<Value> {
    for (;;) {
      const value = take()
      if (value !== undefined) return value
      if (ended) throw new Error(`gone after: ${received.toString('latin1')}`)
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await inTime('an answer', woken)
    }
  }

  const answer = found(() => {
    const length = answerLength(received)
    if (length === undefined) return undefined
    const text = received.toString('utf8', 0, length)
    received = received.subarray(length)
    return text
  })
  answer.catch(() => {})
  const next = async () => {
    await answer
    return found(() => {
      const frame = firstFrame(received)
      if (frame === undefined) return undefined
      received = received.subarray(frame.length)
      return frame
    })
  }
  return {
    answer,
    next,
    get gone() {
      return inTime('an end', gone)
    },
    write: (bytes) => void socket.write(bytes),
    pause: () => void socket.pause(),
    destroy: () => void socket.destroy(),
    async closeCode() {
      for (;;) {
        const { opcode, payload } = await next()
        if (opcode === opcodes.close) return payload.readUInt16BE()
      }
    },
  }
}

/** Of the answer to a handshake, once all of it is there. */
function answerLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf('\r\n\r\n') + 4
  if (end < 4) return undefined
  const head = bytes.toString('latin1', 0, end)
  const length = end + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  return bytes.length < length ? undefined : length
}

function firstFrame(bytes: Buffer): (RawFrame & { readonly length: number }) | undefined {
  const short = (bytes[1] ?? 0) & 0x7f
  const sizes: Readonly<Record<number, number>> = { 126: 2, 127: 8 }
  const start = 2 + (sizes[short] ?? 0)
  if (bytes.length < start) return undefined
  const length = start === 2 ? short : bytes.readUIntBE(start === 4 ? 2 : 4, start === 4 ? 2 : 6)
  if (bytes.length < start + length) return undefined
  const payload = bytes.subarray(start, start + length)
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload, length: start + length }
}
