import { Fault, limits } from '../../../foundation/kernel/index.ts'
import { deviceApiLimits } from '../limits.ts'
import { TopicCount } from './topic-count.ts'

/** Packets that a client of MQTT 3.1.1 sends to who sends it no QoS 2, by their type's number. */
const packetTypes: ReadonlyMap<number, 'connect' | 'publish' | 'control'> = new Map([
  [1, 'connect'],
  [3, 'publish'],
  [4, 'control'],
  [6, 'control'],
  [8, 'control'],
  [10, 'control'],
  [12, 'control'],
  [14, 'control'],
])

const qosMask = 0x06
const qos3 = 0x06
const lengthDigits = 4

const subscribeType = 8
const unsubscribeType = 10
const packetsPerTopic = 2

/** PINGREQ and DISCONNECT. */
const bareTypes: ReadonlySet<number> = new Set([12, 14])

/** Packets that were found in a chunk. */
export type PassedPackets = {
  /** The bytes that are let through. */
  readonly pieces: readonly Buffer[]
  /** Packets that ended; each topic of a SUBSCRIBE or UNSUBSCRIBE counts as two more. */
  readonly packets: number
  /** Bytes of the chunk that were not looked at. */
  readonly rest: Buffer
}

/**
 * Walks over the bytes of a connection, packet by packet: what is not a packet, or is too large a
 * control packet, is refused before anything is put together in memory. A PUBLISH that is too large
 * passes only as far as makes it too large: the reader can refuse and acknowledge it, so that the
 * device does not send it for ever.
 */
export class Frames {
  /** Bytes of the packet's body that are still to come. */
  #left = 0
  /** Bytes behind these that are not let through. */
  #surplus = 0
  /** The packet's first bytes, while its length is being read. */
  #head: number[] = []
  #connected = false
  /** The count of the packet's topics, if it lists some. */
  #topics: TopicCount | undefined

  /** True if a packet has begun and not ended. */
  get insidePacket(): boolean {
    return this.#left > 0 || this.#surplus > 0 || this.#head.length > 0
  }

  /**
   * Stops behind the packet with which `packetsMax` are found.
   * @throws Fault `malformed_request`, `too_large`: the connection cannot go on.
   */
  take(chunk: Buffer, packetsMax: number): PassedPackets {
    const pieces: Buffer[] = []
    let packets = 0
    let from = 0
    let at = 0
    const pass = (end: number) => {
      if (end > from) pieces.push(chunk.subarray(from, end))
    }
    while (at < chunk.length && packets < packetsMax) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, chunk.length - at)
        this.#topics?.take(chunk, at, at + step)
        this.#left -= step
        at += step
      } else if (this.#surplus > 0) {
        pass(at)
        const step = Math.min(this.#surplus, chunk.length - at)
        this.#surplus -= step
        at += step
        from = at
      } else {
        const start = at
        const isWhole = this.#head.length === 0
        let head: Buffer | undefined
        for (; head === undefined && at < chunk.length; at += 1) {
          head = this.#measure(chunk[at] ?? 0)
        }
        // A head that is cut by the chunk's end, or is changed, is put together first.
        if (!isWhole || head === undefined || this.#surplus > 0) {
          pass(start)
          if (head !== undefined) pieces.push(head)
          from = at
        }
      }
      if (!this.insidePacket) {
        this.#topics?.end()
        packets += 1 + packetsPerTopic * (this.#topics?.count ?? 0)
      }
    }
    pass(at)
    return { pieces, packets, rest: chunk.subarray(at) }
  }

  /** Takes a byte of a head. @returns the head once it is whole. */
  #measure(byte: number): Buffer | undefined {
    const head = this.#head
    head.push(byte)
    const [first = 0, ...digits] = head
    if (digits.length === 0) {
      this.#begin(first)
      return undefined
    }
    if (byte >= 0x80) {
      if (digits.length === lengthDigits) throw malformed('The length of a packet has no end.')
      return undefined
    }
    this.#head = []
    const type = first >> 4
    const lists = type === subscribeType || type === unsubscribeType
    this.#topics = lists ? new TopicCount(type === subscribeType) : undefined
    // It comes in groups of seven bits, the lowest first.
    const length = digits.reduce((sum, digit, place) => sum + (digit & 0x7f) * 128 ** place, 0)
    const publish = packetTypes.get(type) === 'publish'
    const most = publish ? limits.mqttPublishBytesMax : deviceApiLimits.mqttControlBytesMax
    if (length > 0 && bareTypes.has(type)) throw malformed(`A packet of type ${type} has a body.`)
    if (length > most && !publish) throw new Fault('too_large', `A packet of ${length} bytes.`)
    this.#left = Math.min(length, most)
    this.#surplus = length - this.#left
    return Buffer.from(this.#surplus > 0 ? [first, ...encodeLength(this.#left)] : head)
  }

  #begin(byte: number): void {
    const type = packetTypes.get(byte >> 4)
    if (type === undefined) throw malformed(`A packet of type ${byte >> 4} has no place here.`)
    if ((type === 'connect') === this.#connected) {
      throw malformed('A connection begins with a CONNECT, and holds one.')
    }
    if (type === 'publish' && (byte & qosMask) === qos3) throw malformed('There is no QoS 3.')
    this.#connected = true
  }
}

/** A length as the head of a packet has it. */
function encodeLength(length: number): number[] {
  const rest = Math.floor(length / 128)
  return rest === 0 ? [length] : [(length % 128) + 0x80, ...encodeLength(rest)]
}

function malformed(detail: string): Fault {
  return new Fault('malformed_request', detail)
}
