import { deviceApiLimits } from '../limits.ts'

/** A connection that has packets to take. */
export type PacketSource = {
  /** @returns how many it took of at most so many, or more if one packet counts for several. */
  takePackets(packetsMax: number): number
}

/**
 * Shares each turn of the event loop among the connections of a process. A turn takes at most
 * `mqttPacketsPerTurn` packets, however many connections send; a connection with more of
 * them waits behind the others after each share.
 */
export class PacketScheduler {
  /** In the order of their requests. */
  readonly #waiting = new Set<PacketSource>()
  /** Packets that this turn may still take. */
  #left: number = deviceApiLimits.mqttPacketsPerTurn
  #running = false

  /** Takes packets from the source in this turn if there is room, else in a later one. */
  schedule(source: PacketSource): void {
    this.#waiting.add(source)
    this.#run()
  }

  #run(): void {
    if (this.#running) return
    this.#running = true
    const isFresh = this.#left === deviceApiLimits.mqttPacketsPerTurn
    // A source that requests again meanwhile stands at the end, and gets a turn again.
    for (const source of this.#waiting) {
      if (this.#left <= 0) break
      this.#waiting.delete(source)
      this.#left -= source.takePackets(Math.min(deviceApiLimits.mqttPacketsShare, this.#left))
    }
    this.#running = false
    if (isFresh && this.#left < deviceApiLimits.mqttPacketsPerTurn)
      setImmediate(() => this.#renew())
  }

  #renew(): void {
    this.#left = deviceApiLimits.mqttPacketsPerTurn
    if (this.#waiting.size > 0) this.#run()
  }
}
