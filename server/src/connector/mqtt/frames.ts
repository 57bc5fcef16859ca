import { Fault, limits } from '../../kernel/index.ts'

/** Packets that a client of MQTT 3.1.1 sends where there is no QoS 2, by their type's number. */
const packetTypes: ReadonlyMap<number, 'connect' | 'publish' | 'control'> = new Map([
  [1, 'connect'],
  [3, 'publish'],
  [4, 'control'],
  [8, 'control'],
  [10, 'control'],
  [12, 'control'],
  [14, 'control'],
])

const qosMask = 0x06
const qos2 = 0x04
const lengthDigits = 4

/**
 * Walks over the bytes of a connection, packet by packet, and keeps none of them: what is not a
 * packet, or is too large a one, is refused before anything is put together in memory.
 */
export class Frames {
  /** Bytes of the packet's body that are still to come. */
  #left = 0
  /** The first byte of the packet whose length is being read. */
  #first: number | undefined
  #length = 0
  #digits = 0
  #connected = false

  /** Whether a packet has begun and not ended. */
  get insidePacket(): boolean {
    return this.#left > 0 || this.#first !== undefined
  }

  /** @throws Fault `malformed_request`, `too_large`: the connection cannot go on. */
  take(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, chunk.length - at)
        this.#left -= step
        at += step
        continue
      }
      const byte = chunk[at] ?? 0
      at += 1
      if (this.#first === undefined) this.#begin(byte)
      else this.#measure(this.#first, byte)
    }
  }

  #begin(byte: number): void {
    const type = packetTypes.get(byte >> 4)
    if (type === undefined) throw malformed(`A packet of type ${byte >> 4} has no place here.`)
    if ((type === 'connect') === this.#connected) {
      throw malformed('A connection begins with a CONNECT, and holds one.')
    }
    if (type === 'publish' && (byte & qosMask) >= qos2) throw malformed('QoS 2 is not supported.')
    this.#connected = true
    this.#first = byte
    this.#length = 0
    this.#digits = 0
  }

  /** The length comes in groups of seven bits, the lowest first. */
  #measure(first: number, byte: number): void {
    this.#length += (byte & 0x7f) * 128 ** this.#digits
    this.#digits += 1
    if (byte >= 0x80) {
      if (this.#digits === lengthDigits) throw malformed('The length of a packet has no end.')
      return
    }
    const publish = packetTypes.get(first >> 4) === 'publish'
    const most = publish ? limits.mqttPublishBytesMax : limits.mqttControlBytesMax
    if (this.#length > most) throw new Fault('too_large', `A packet of ${this.#length} bytes.`)
    this.#left = this.#length
    this.#first = undefined
  }
}

function malformed(detail: string): Fault {
  return new Fault('malformed_request', detail)
}
