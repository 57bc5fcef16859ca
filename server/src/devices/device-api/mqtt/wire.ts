import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { deviceApiLimits } from '../limits.ts'
import { Frames } from './frames.ts'
import type { PacketScheduler, PacketSource } from './packet-scheduler.ts'

type Done = (error?: Error | null) => void

export type WireOptions = {
  readonly socket: Socket
  readonly scheduler: PacketScheduler
  /** Called with the reason if a device's bytes cannot be taken; the wire is destroyed then. */
  readonly onRefused: (error: unknown) => void
}

/**
 * A device's socket, as the broker sees it: only whole streams of sound packets come through, some
 * at a time, and none while the device is held because its messages wait for their commit. Until
 * the CONNECT is answered nothing behind it comes through.
 */
export class Wire extends Duplex implements PacketSource {
  readonly socket: Socket
  readonly #frames = new Frames()
  readonly #scheduler: PacketScheduler
  readonly #onRefused: (error: unknown) => void
  #held = false
  /** True if the broker has read all that came through. */
  #wanted = false
  /** Bytes that came in and wait for their turn; nothing more is read meanwhile. */
  #rest: Buffer | undefined
  /** Packets that may come through. */
  #room = 1
  /** The socket has ended; so does the wire, behind the rest. */
  #isEnding = false
  /** Messages wait for their answers. */
  #isAnswering = false

  constructor({ socket, scheduler, onRefused }: WireOptions) {
    // The least mark there is: the broker parses in one go what is buffered here.
    super({ allowHalfOpen: false, readableHighWaterMark: 1 })
    this.socket = socket
    this.#scheduler = scheduler
    this.#onRefused = onRefused
    socket.allowHalfOpen = true
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.pause()
    socket.once('end', () => {
      this.#isEnding = true
      this.#flow()
    })
    socket.once('close', () => this.destroy())
    socket.on('error', (error) => this.destroy(error))
  }

  get insidePacket(): boolean {
    return this.#frames.insidePacket
  }

  /** Pauses or resumes reading from the device. */
  hold(held: boolean): void {
    if (held === this.#held) return
    this.#held = held
    this.#flow()
  }

  /** Keeps the wire open, also if the device ends its side: it still reads the answers. */
  keepOpen(isAnswering: boolean): void {
    this.#isAnswering = isAnswering
    // The broker hands acknowledgements over a turn later.
    if (this.#isEnding) setImmediate(() => this.#flow())
  }

  override _read(): void {
    this.#wanted = true
    // The broker takes the bytes before behind this call; more of them would join them.
    process.nextTick(() => this.#flow())
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    this.socket.write(chunk, done)
  }

  override _writev(chunks: { chunk: Buffer; encoding: BufferEncoding }[], done: Done): void {
    this.socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  override _final(done: Done): void {
    this.socket.end(done)
  }

  /** The last packets are still sent; a client that does not read them is cut off later. */
  override _destroy(error: Error | null, done: Done): void {
    const { socket } = this
    socket.resume()
    socket.destroySoon()
    socket.setTimeout(deviceApiLimits.mqttUnreadMsMax, () => socket.destroy())
    done(error)
  }

  /** The CONNECT is answered: what comes behind it may come through. */
  allowPackets(): void {
    this.#room = Number.POSITIVE_INFINITY
    this.#flow()
  }

  takePackets(packetsMax: number): number {
    const chunk = this.#rest
    if (chunk === undefined || !this.#isOpen) return 0
    this.#rest = undefined
    try {
      const { pieces, packets, rest } = this.#frames.take(chunk, Math.min(packetsMax, this.#room))
      if (rest.length > 0) this.#rest = rest
      this.#room -= packets
      for (const piece of pieces) this.#wanted = this.push(piece)
      this.#flow()
      return packets
    } catch (error) {
      this.#onRefused(error)
      this.destroy()
      return 1
    }
  }

  #receive(chunk: Buffer): void {
    this.#rest = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    this.#flow()
  }

  get #isOpen(): boolean {
    return this.#wanted && !this.#held && this.#room > 0 && !this.destroyed
  }

  #flow(): void {
    if (this.destroyed) return
    if (this.#isOpen && this.#rest === undefined && !this.#isEnding) this.socket.resume()
    else this.socket.pause()
    if (this.#rest !== undefined) {
      if (this.#isOpen) this.#scheduler.schedule(this)
    } else if (this.#isEnding && this.#wanted && !this.#isAnswering) this.push(null)
  }
}
