import type { Clock, Logger } from '../../../foundation/kernel/index.ts'
import type { Entry, EventLog } from '../../../log/eventlog/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { deviceApiLimits } from '../limits.ts'
import { pushTopic } from './topics.ts'

/**
 * Bytes of values set from the cloud that wait for one MQTT client. Past it the client is closed.
 * The values in force are pushed when it connects again.
 */
const mqttPushBytesMax = 4 * 1024 * 1024

export type PusherOptions = {
  readonly eventlog: Pick<EventLog, 'watch'>
  readonly provisioning: Pick<Provisioning, 'pending' | 'values'>
  readonly clock: Clock
  readonly logger: Logger
  readonly device: Device
  /** Resolves when the device may be sent the next one. */
  readonly send: (topic: string, payload: string) => Promise<void>
  /** Called when more values wait than a connection may keep: the device is too slow. */
  readonly tooMuch: () => void
}

/** A value that waits. Without its text it is read when its turn comes, if it is pending still. */
type Waiting = { readonly alias: string; readonly at: number; readonly value?: string }

/**
 * Pushes what the cloud sets to one connection of a device.
 *
 * While it is connected, each `set` entry that this process commits is pushed, one after another.
 * Values that were set before, or by another process, are found by polling for values that the
 * cloud set last: at the start, when the log has such an entry of another process, and at pings.
 * Such a value stays pending until the device publishes it back, so a connection that breaks in
 * between loses nothing: the next one polls.
 */
export class Pusher {
  readonly #options: PusherOptions
  readonly #stopWatching: () => void
  /** By alias the stamp of what was sent last on this connection, or waits with its text. */
  readonly #sent = new Map<string, number>()
  #waiting: Waiting[] = []
  #bytes = 0
  #sending = false
  #polling = false
  #pollAgain = false
  #behind = false
  #polledMs = 0
  #stopped = false

  constructor(options: PusherOptions) {
    this.#options = options
    const { connector, identity } = options.device
    this.#stopWatching = options.eventlog.watch(connector.id, identity, (entry) =>
      this.#receive(entry),
    )
    this.#poll()
  }

  stop(): void {
    this.#stopped = true
    this.#stopWatching()
    this.#waiting = []
  }

  /** Polls for values that other processes set; to be called when the device pings. */
  ping(): void {
    const sinceMs = this.#options.clock.elapsedMs() - this.#polledMs
    if (sinceMs >= deviceApiLimits.mqttCatchUpMsMin) this.#poll()
  }

  /** Polls again if the last poll failed. */
  retry(): void {
    if (this.#behind) this.#poll()
  }

  #receive(entry: Entry | undefined): void {
    if (entry === undefined) this.#poll()
    if (entry?.kind !== 'set') return
    for (const { timestamp, values } of entry.body.payload) {
      for (const [alias, value] of Object.entries(values)) {
        const at = Math.min(timestamp, entry.at)
        if (this.#sent.get(alias) === at) continue
        this.#sent.set(alias, at)
        this.#add({ alias, at, value })
      }
    }
  }

  #poll(): void {
    this.#pollAgain = this.#polling
    if (this.#polling || this.#stopped) return
    const { provisioning, clock, logger, device } = this.#options
    this.#polling = true
    this.#polledMs = clock.elapsedMs()
    provisioning
      .pending(device)
      .then((pending) => {
        this.#behind = false
        for (const { alias, at } of pending) {
          if (this.#sent.get(alias) !== at) this.#add({ alias, at })
        }
        if (!this.#sending) this.#drain()
      })
      .catch((error) => {
        this.#behind = true
        logger.warn(
          { err: error, identity: device.identity },
          'reading pending values failed; retrying',
        )
      })
      .finally(() => {
        this.#polling = false
        if (this.#pollAgain) this.#poll()
      })
  }

  #add(one: Waiting): void {
    if (this.#stopped) return
    this.#waiting.push(one)
    this.#bytes += waitingSize(one)
    if (this.#bytes > mqttPushBytesMax) this.#options.tooMuch()
    else if (!this.#sending) this.#drain()
  }

  async #drain(): Promise<void> {
    this.#sending = true
    try {
      for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift()) {
        this.#bytes -= waitingSize(one)
        await this.#push(one)
      }
    } catch (error) {
      this.#behind = true
      this.#sent.clear()
      const { identity } = this.#options.device
      this.#options.logger.warn({ err: error, identity }, 'pushing a set value failed; retrying')
    } finally {
      this.#sending = false
    }
  }

  async #push({ alias, at, value }: Waiting): Promise<void> {
    const { provisioning, device, send } = this.#options
    if (value !== undefined) return send(pushTopic(alias, at), value)
    const now = (await provisioning.values(device, [alias])).get(alias)
    if (!now?.pending || now.setAt === this.#sent.get(alias) || this.#stopped) return
    this.#sent.set(alias, now.setAt)
    await send(pushTopic(alias, now.setAt), now.set)
  }
}

const waitingOverheadBytes = 128

function waitingSize({ alias, value = '' }: Waiting): number {
  return alias.length + value.length + waitingOverheadBytes
}
