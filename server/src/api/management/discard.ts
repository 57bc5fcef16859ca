import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/**
 * The time for which the rest of an upload, or of a JSON body, that was refused is read and
 * discarded, so that its sender receives the answer.
 */
const uploadDiscardMs = 5_000

/**
 * Reads and discards the rest of an upload that is answered before its end, for a bounded time. To
 * close a connection with unread bytes resets it, and a sender that still writes may then lose the
 * answer. Most senders stop when they have it.
 */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  // A request that is destroyed has none any more.
  const { socket } = request
  // `inject` has no connection.
  if (!(socket instanceof Socket)) return
  response.once('finish', () => {
    if (request.complete) return
    const end = () => {
      clearTimeout(timer)
      socket.off('close', end)
    }
    const timer = setTimeout(() => socket.destroy(), uploadDiscardMs)
    socket.once('close', end)
    request.once('end', end)
    request.resume()
  })
}

/** The bytes of a request. A reader that stops does not destroy it: the rest can be discarded. */
export function readRequestBytes(request: IncomingMessage): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) }
}
