import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** The interval at which a stream of events that is silent shows that it lives. */
const graphqlSubscriptionBeatMs = 15_000

export type EventStreamOptions = {
  readonly headers: Readonly<Record<string, string>>
  /** Aborted when the stream has to end. */
  readonly signal: AbortSignal
}

const keepAlive = ':\n\n'

/**
 * Writes each answer as an event `next`, and `complete` behind the last one: the protocol of
 * graphql-sse with a connection for each operation. The next answer is taken when the one before
 * has gone out, so that a slow reader fills no memory here.
 */
export async function writeEvents(
  response: ServerResponse,
  answers: AsyncIterable<object>,
  { headers, signal }: EventStreamOptions,
): Promise<void> {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.write(keepAlive)
  // An interval, and no poll loop: nothing in a beat is awaited.
  const beat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(keepAlive)
  }, graphqlSubscriptionBeatMs)
  try {
    for await (const answer of answers) {
      if (response.destroyed) break
      const isFull = !response.write(`event: next\ndata: ${JSON.stringify(answer)}\n\n`)
      if (isFull && !(await drains(response, signal))) break
    }
    if (response.writableNeedDrain) response.destroy()
    else response.end('event: complete\ndata:\n\n')
  } finally {
    clearInterval(beat)
  }
}

/** Returns false if the stream ended before its reader took what waits. */
async function drains(response: ServerResponse, signal: AbortSignal): Promise<boolean> {
  try {
    await once(response, 'drain', { signal })
    return true
  } catch {
    return false
  }
}
