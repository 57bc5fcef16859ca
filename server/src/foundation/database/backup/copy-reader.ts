import type { Duplex } from 'node:stream'
import type { Connection, Submittable } from 'pg'

type Received = (bytes: Buffer) => void
type Waiting = {
  readonly resolve: (part: Buffer | undefined) => void
  readonly reject: (error: Error) => void
}

/** A message's code, and its length, which counts itself. */
const headerBytes = 5
const lengthAt = 1
const lengthBytes = 4
/** CopyData of the protocol of PostgreSQL: one for each row. */
const rowCode = 'd'.charCodeAt(0)
/** CopyOutResponse, and what may stand between rows: notices, notifications, parameters. */
const skippedCodes = new Set([...'HNAS'].map((code) => code.charCodeAt(0)))

const none: Buffer = Buffer.alloc(0)

/**
 * Gives back the memory of what came from a socket, which is all of its own. The collector does so
 * only after some 60 MiB of it.
 */
function free(bytes: Buffer): void {
  const { buffer } = bytes
  const isWhole = bytes.length === buffer.byteLength
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/**
 * A `copy … to stdout` that is read in parts: the rows are copied from the connection into one
 * buffer of the caller, without an object for each. Millions of such small objects would let the
 * heap grow with the table. While a part is used, nothing is read: the server waits.
 */
export class CopyReader implements Submittable {
  /** Known at the end. */
  rowCount = 0
  readonly #text: string
  readonly #part: Buffer
  readonly #header = Buffer.alloc(headerBytes)
  /** The number of bytes of the next header that have come. */
  #headerUsed = 0
  #isRow = false
  /** The number of bytes of the message that are still to come. */
  #left = 0
  #used = 0
  /** The bytes that came, and are not yet read. */
  #rest: Buffer = none
  #stream: Duplex | undefined
  #driver: Received[] = []
  #waiting: Waiting | undefined
  #end: { readonly error?: Error } | undefined

  /** @param part gets the rows; a part is never larger. */
  constructor(text: string, part: Buffer) {
    this.#text = text
    this.#part = part
  }

  /**
   * Returns the next rows, cut anywhere; undefined at the end. They are valid until the next call.
   * @throws Error of the database or the connection
   */
  next(): Promise<Buffer | undefined> {
    this.#used = 0
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      if (this.#end !== undefined) this.#settle()
      else this.#goOn()
    })
  }

  /** The driver calls this and the next four. */
  submit(connection: Connection): void {
    this.#stream = connection.stream
    this.#driver = this.#stream.listeners('data') as Received[]
    for (const listener of this.#driver) this.#stream.off('data', listener)
    this.#stream.on('data', this.#receive)
    // Its types leave out what takes a statement without arguments.
    const { query } = connection as unknown as { query(text: string): void }
    query.call(connection, this.#text)
    if (this.#waiting === undefined) this.#stream.pause()
  }

  handleError(error: Error): void {
    this.#leave(none)
    this.#end = { error }
    this.#settle()
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.rowCount = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)
  }

  handleReadyForQuery(): void {
    this.#end = {}
    this.#settle()
  }

  readonly #receive = (bytes: Buffer): void => {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    this.#goOn()
  }

  #goOn(): void {
    if (this.#waiting !== undefined && this.#rest.length > 0) this.#read()
    if (this.#stream === undefined) return
    if (this.#waiting === undefined) this.#stream.pause()
    else this.#stream.resume()
  }

  /** Reads what has come, up to a full part or the end of the rows. */
  #read(): void {
    const bytes = this.#rest
    let at = 0
    while (at < bytes.length && this.#used < this.#part.length) {
      if (this.#left > 0) at += this.#readContent(bytes, at)
      else at += this.#readHeader(bytes, at)
      if (this.#left < 0) {
        this.#leave(Buffer.concat([this.#header, bytes.subarray(at)]))
        return
      }
    }
    if (at < bytes.length) {
      this.#rest = bytes.subarray(at)
    } else {
      this.#rest = none
      free(bytes)
    }
    if (this.#used === this.#part.length) this.#settle()
  }

  #readContent(bytes: Buffer, at: number): number {
    const room = this.#isRow ? this.#part.length - this.#used : this.#left
    const length = Math.min(this.#left, bytes.length - at, room)
    if (this.#isRow) this.#used += bytes.copy(this.#part, this.#used, at, at + length)
    this.#left -= length
    return length
  }

  /** Sets what is left of its message: less than nothing if it is for the driver. */
  #readHeader(bytes: Buffer, at: number): number {
    const length = bytes.copy(
      this.#header,
      this.#headerUsed,
      at,
      at + headerBytes - this.#headerUsed,
    )
    this.#headerUsed += length
    if (this.#headerUsed < headerBytes) return length
    this.#headerUsed = 0
    const code = this.#header[0] ?? 0
    this.#isRow = code === rowCode
    const isOurs = this.#isRow || skippedCodes.has(code)
    this.#left = isOurs ? this.#header.readUInt32BE(lengthAt) - lengthBytes : -1
    return length
  }

  /** Gives the connection back to the driver, with what is for it. */
  #leave(bytes: Buffer): void {
    const stream = this.#stream
    if (stream === undefined) return
    this.#stream = undefined
    this.#rest = none
    stream.off('data', this.#receive)
    for (const listener of this.#driver) stream.on('data', listener)
    for (const listener of this.#driver) if (bytes.length > 0) listener(bytes)
    stream.resume()
  }

  #settle(): void {
    const waiting = this.#waiting
    if (waiting === undefined) return
    const isPart = this.#used > 0
    if (!isPart && this.#end === undefined) return
    this.#waiting = undefined
    if (this.#end?.error !== undefined) waiting.reject(this.#end.error)
    else waiting.resolve(isPart ? this.#part.subarray(0, this.#used) : undefined)
  }
}
