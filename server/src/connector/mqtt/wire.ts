import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { limits } from '../../kernel/index.ts'
import { Frames } from './frames.ts'

type Done = (error?: Error | null) => void

/**
 * A device's socket, as the broker sees it: only whole streams of sound packets come through, and
 * none while the device is held because its messages wait for their commit.
 */
export class Wire extends Duplex {
  readonly socket: Socket
  readonly #frames = new Frames()
  #held = false
  #wanted = false

  readonly #refused: (error: unknown) => void

  /** `refused` is told why a device's bytes cannot be taken; the wire is destroyed then. */
  constructor(socket: Socket, refused: (error: unknown) => void) {
    super({ allowHalfOpen: false })
    this.socket = socket
    this.#refused = refused
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.pause()
    socket.once('end', () => this.push(null))
    socket.once('close', () => this.destroy())
    socket.on('error', (error) => this.destroy(error))
  }

  get insidePacket(): boolean {
    return this.#frames.insidePacket
  }

  /** Whether nothing is to be read from the device for now. */
  hold(held: boolean): void {
    if (held === this.#held) return
    this.#held = held
    this.#flow()
  }

  override _read(): void {
    this.#wanted = true
    this.#flow()
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

  /** What was said last still goes out; who does not read it is cut after a while. */
  override _destroy(error: Error | null, done: Done): void {
    const { socket } = this
    socket.resume()
    socket.destroySoon()
    socket.setTimeout(limits.mqttUnreadMsMax, () => socket.destroy())
    done(error)
  }

  #take(chunk: Buffer): void {
    if (this.destroyed) return
    try {
      for (const piece of this.#frames.take(chunk)) this.#wanted = this.push(piece)
    } catch (error) {
      this.#refused(error)
      this.destroy()
      return
    }
    this.#flow()
  }

  #flow(): void {
    if (this.destroyed) return
    if (this.#wanted && !this.#held) this.socket.resume()
    else this.socket.pause()
  }
}
