import type { IncomingMessage } from 'node:http'
import { limits } from '../kernel/index.ts'

/** Destroys requests whose body does not arrive in time. */
export class BodyDeadlines {
  #begun: IncomingMessage[] = []

  follow(message: IncomingMessage): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = message.headers
    if (encoding === undefined && (length === undefined || length === '0')) return
    // A small body comes with its head: it is here in the next turn, and needs no timer.
    if (this.#begun.length === 0) setImmediate(() => this.#setTimers())
    this.#begun.push(message)
  }

  #setTimers(): void {
    const begun = this.#begun
    this.#begun = []
    for (const message of begun) if (!message.complete && !message.destroyed) setTimer(message)
  }
}

function setTimer(message: IncomingMessage): void {
  // A body that is refused unread may never end, and must not hold up the end of the process.
  const timer = setTimeout(() => message.destroy(), limits.deviceRequestMsMax).unref()
  const clear = () => clearTimeout(timer)
  message.once('end', clear)
  message.once('close', clear)
}
