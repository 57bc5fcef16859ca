import { connect } from 'node:net'
import { waitMsMax } from './bounds.ts'
import { atEnd } from './ends.ts'

type Context = Parameters<typeof atEnd>[0]

/** A socket that speaks MQTT byte by byte. */
export type RawMqtt = {
  write(bytes: Buffer): void
  /** The types of the packets that came, such as `connack`, in their order. */
  readonly came: readonly string[]
  /** Resolves when a packet of the type has come so often; rejects where the server hangs up. */
  packet(type: string, times?: number): Promise<void>
  /** Resolves when the server has ended the connection. */
  readonly closed: Promise<void>
  /** The bodies of the packets of a type that came. */
  bodies(type: string): readonly Buffer[]
  /** What was written and the server has not taken yet. */
  unsentBytes(): number
  /** Says that no more comes from this side. */
  end(): void
  /** Stops reading, as a device that hangs does. */
  stall(): void
}

const typeNames = new Map([
  [2, 'connack'],
  [3, 'publish'],
  [4, 'puback'],
  [5, 'pubrec'],
  [7, 'pubcomp'],
  [9, 'suback'],
  [11, 'unsuback'],
  [13, 'pingresp'],
])

export function rawMqtt(t: Context, url: string | undefined): RawMqtt {
  const { hostname, port } = new URL(url ?? '')
  const socket = connect(Number(port), hostname)
  const came: string[] = []
  const packets: { readonly type: string; readonly body: Buffer }[] = []
  const closed = Promise.withResolvers<void>()
  let buffer: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    for (let length = lengthOf(buffer); length !== undefined; length = lengthOf(buffer)) {
      const type = typeNames.get((buffer[0] ?? 0) >> 4) ?? 'unknown'
      came.push(type)
      packets.push({ type, body: bodyOf(buffer.subarray(0, length)) })
      buffer = buffer.subarray(length)
      socket.emit('packet')
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => closed.resolve())
  atEnd(t, () => socket.destroy())
  return {
    write: (bytes) => void socket.write(bytes),
    came,
    packet: (type, times = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (came.filter((one) => one === type).length < times) return
          socket.off('packet', look)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(() => reject(new Error(`no ${type}: ${came}`)), waitMsMax)
        socket.on('packet', look)
        closed.promise.then(() => reject(new Error(`closed before a ${type}: ${came}`)))
        look()
      }),
    closed: closed.promise,
    bodies: (type) => packets.filter((one) => one.type === type).map(({ body }) => body),
    unsentBytes: () => socket.writableLength,
    end: () => void socket.end(),
    stall: () => void socket.pause(),
  }
}

/** How long the first packet is; undefined where it is not all there. */
function lengthOf(buffer: Buffer): number | undefined {
  let length = 0
  for (let at = 1; at < Math.min(buffer.length, 5); at += 1) {
    const byte = buffer[at] ?? 0
    length += (byte & 0x7f) * 128 ** (at - 1)
    if (byte < 0x80) return buffer.length >= length + at + 1 ? length + at + 1 : undefined
  }
  return undefined
}

function bodyOf(packet: Buffer): Buffer {
  let at = 1
  while ((packet[at] ?? 0) >= 0x80) at += 1
  return packet.subarray(at + 1)
}

/** A packet with its length; `first` is its first byte. */
export function packetOf(first: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const digits: number[] = []
  let left = body.length
  do {
    const rest = left % 128
    left = Math.floor(left / 128)
    digits.push(left > 0 ? rest + 0x80 : rest)
  } while (left > 0)
  return Buffer.concat([Buffer.from([first, ...digits]), body])
}

export function textOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([numberOf(bytes.length), bytes])
}

export function numberOf(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}

/** A CONNECT of MQTT 3.1.1 with an empty client id. */
export function connectPacket(
  credentials: { readonly userName?: string; readonly password?: string },
  { keepAliveS = 0, will = false } = {},
): Buffer {
  const { userName, password } = credentials
  const flags =
    0x02 |
    (will ? 0x04 : 0) |
    (password === undefined ? 0 : 0x40) |
    (userName === undefined ? 0 : 0x80)
  return packetOf(
    0x10,
    textOf('MQTT'),
    Buffer.from([4, flags]),
    numberOf(keepAliveS),
    textOf(''),
    ...(will ? [textOf('$resource/a'), textOf('last words')] : []),
    ...(userName === undefined ? [] : [textOf(userName)]),
    ...(password === undefined ? [] : [textOf(password)]),
  )
}

/** A PUBLISH of QoS 1; of QoS 0 where it has no id. */
export function publishPacket(topic: string, payload: string | Buffer, id?: number): Buffer {
  const first = id === undefined ? 0x30 : 0x32
  const ids = id === undefined ? [] : [numberOf(id)]
  return packetOf(first, textOf(topic), ...ids, Buffer.from(payload))
}

export function subscribePacket(id: number, topics: readonly string[]): Buffer {
  const subscriptions = topics.flatMap((topic) => [textOf(topic), Buffer.from([0])])
  return packetOf(0x82, numberOf(id), ...subscriptions)
}

export const pingPacket = packetOf(0xc0)
