import { Fault } from '../../../foundation/kernel/index.ts'
import { deviceApiLimits } from '../limits.ts'

const packetIdBytes = 2

/**
 * Counts the topics of a SUBSCRIBE or an UNSUBSCRIBE while its body arrives. The broker spends
 * microseconds on each topic, and takes all topics of a packet in one turn of the event loop.
 */
export class TopicCount {
  count = 0
  /** Bytes to pass over: of the packet id, or of a topic. */
  #skip = packetIdBytes
  /** The sum of its bytes: 0 is no packet id. */
  #packetId = 0
  /** The first byte of a topic's length, once it is there. */
  #high: number | undefined
  /** Bytes behind each topic: the QoS, in a SUBSCRIBE. */
  readonly #behind: number

  constructor(hasQos: boolean) {
    this.#behind = hasQos ? 1 : 0
  }

  /** @throws Fault `too_large` for more than `mqttTopicsMax` topics. */
  take(chunk: Buffer, from: number, end: number): void {
    let at = from
    while (at < end) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, end - at)
        // Until a topic has begun, these are the bytes of the packet id.
        if (this.count === 0)
          for (const byte of chunk.subarray(at, at + step)) this.#packetId += byte
        this.#skip -= step
        at += step
      } else {
        const byte = chunk[at] ?? 0
        at += 1
        if (this.#high === undefined) this.#high = byte
        else this.#begin(this.#high * 256 + byte)
      }
    }
  }

  /** The packet has ended. @throws Fault `malformed_request` without a packet id, or a topic. */
  end(): void {
    if (this.#packetId > 0 && this.count > 0) return
    throw new Fault('malformed_request', 'A list of topics has a packet id and a topic.')
  }

  #begin(length: number): void {
    this.#high = undefined
    this.#skip = length + this.#behind
    this.count += 1
    if (this.count <= deviceApiLimits.mqttTopicsMax) return
    throw new Fault('too_large', `A packet names at most ${deviceApiLimits.mqttTopicsMax} topics.`)
  }
}
