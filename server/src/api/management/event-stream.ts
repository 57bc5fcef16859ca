import { channel } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { onClientEnd, showOnWire } from '../../foundation/kernel/index.ts'
import type { Contract } from './contract/contract.ts'
import { apiHeaders } from './errors.ts'

/** The interval at which a silent live view sends a comment, so that no proxy closes it. */
const logStreamHeartbeatMs = 15_000

/** A server-sent event; a reader that comes back goes on after its `id`. */
export type StreamEvent = {
  readonly name: string
  readonly id?: string
  readonly data: unknown
}

/** An event as it is sent, for tests that compare it with its contract. */
export type SentEvent = Pick<StreamEvent, 'name' | 'data'> & {
  readonly contract: Contract
  /** Set by a subscriber: the event is not sent, and the connection closes. */
  problem?: unknown
}

const sentEvents = channel('millrace.management.event')

const headers = {
  ...apiHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that keeps a stream until it is complete would keep it for ever.
  'x-accel-buffering': 'no',
}

/** The answer of a contract with server-sent events. */
export class EventStream {
  readonly #response: ServerResponse
  readonly #contract: Contract

  /** Sends the head of the answer, and a comment at each heartbeat. */
  constructor(response: ServerResponse, contract: Contract) {
    this.#response = response
    this.#contract = contract
    const heartbeatMs = logStreamHeartbeatMs
    response.writeHead(200, { ...headers, 'millrace-heartbeat': heartbeatMs })
    response.write(': open\n\n')
    if (response.req.method === 'HEAD') response.end()
    else onClientEnd(response, () => response.destroy())
    // An interval, and no poll loop: nothing in a beat is awaited.
    const beat = setInterval(() => response.write(': beat\n\n'), heartbeatMs)
    response.on('close', () => clearInterval(beat))
  }

  /** The bytes that the reader has not read yet. */
  get waitingBytes(): number {
    return this.#response.writableLength
  }

  get isOver(): boolean {
    return this.#response.writableEnded || this.#response.destroyed
  }

  send(given: readonly StreamEvent[]): void {
    if (this.isOver) return
    const schemas = this.#contract.details().answers[200]?.events ?? {}
    const events = given.map(({ data, ...event }) => {
      const schema = schemas[event.name]
      return { ...event, data: schema === undefined ? data : showOnWire(schema, data) }
    })
    if (events.every((event) => this.#isPublished(event))) {
      this.#response.write(events.map(format).join(''))
    } else this.cut()
  }

  end(event: StreamEvent): void {
    this.send([event])
    this.#response.end()
  }

  /** Closes the connection at once. */
  cut(): void {
    this.#response.destroy()
  }

  onClose(act: () => void): void {
    this.#response.on('close', act)
  }

  /** Returns false if a test has rejected the event. */
  #isPublished({ name, data }: StreamEvent): boolean {
    if (!sentEvents.hasSubscribers) return true
    const message: SentEvent = { contract: this.#contract, name, data }
    sentEvents.publish(message)
    return message.problem === undefined
  }
}

function format({ name, id, data }: StreamEvent): string {
  const place = id === undefined ? '' : `id: ${id}\n`
  return `${place}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
