import type { MillraceClient } from './client.ts'
import { ApiError, errorIn } from './errors.ts'

/** A server-sent event. */
export type ServerEvent = { readonly id: string; readonly type: string; readonly data: unknown }

export type FollowOptions = {
  readonly signal?: AbortSignal
  /** The id of the last event that was read: the stream goes on behind it. */
  readonly after?: string
  /** The first pause before a connection that was lost is opened again, in milliseconds. */
  readonly retryMs?: number
  /** Called when a connection was lost, before the pause. */
  readonly lost?: (error: unknown) => void
  /** Called when a connection is open: from here on no event is missed. */
  readonly opened?: () => void
}

const retryMsMax = 30_000

/**
 * Follows a live view (`text/event-stream`). A connection that is lost is opened again behind the
 * last event, so that none is missed or repeated; an `ApiError` with a status ends it.
 */
export async function* follow(
  client: Pick<MillraceClient, 'request'>,
  path: string,
  { signal, after, retryMs = 500, lost, opened }: FollowOptions = {},
): AsyncGenerator<ServerEvent> {
  let last = after
  let pauseMs = retryMs
  const isOver = () => signal?.aborted === true
  while (!isOver()) {
    try {
      const response = await open(client, path, last, signal)
      opened?.()
      for await (const event of eventsOf(response)) {
        pauseMs = retryMs
        if (event.id !== '') last = event.id
        if (event.type === 'end' && isFinal(event)) return
        if (event.type !== 'end') yield event
      }
    } catch (error) {
      if (isOver()) return
      if (error instanceof ApiError && error.status !== 0 && error.status < 500) throw error
      lost?.(error)
    }
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, retryMsMax)
  }
}

/** Only a server that stops can be found again. */
function isFinal({ data }: ServerEvent): boolean {
  return (data as { code?: string } | null)?.code !== 'server_closed'
}

async function open(
  client: Pick<MillraceClient, 'request'>,
  path: string,
  last: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await client.request(path, {
    headers: {
      accept: 'text/event-stream',
      ...(last !== undefined && { 'last-event-id': last }),
    },
    ...(signal !== undefined && { signal }),
  })
  if (!response.ok) throw await errorIn(response)
  return response
}

/** The events of a stream: fields in lines, an empty line behind each event. */
async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent> {
  if (body === null) return
  const decoder = new TextDecoder()
  let text = ''
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  const fields = { id: '', event: 'message', data: [] as string[] }
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? []
    if (name === 'data') fields.data.push(value)
    else if (name === 'id' || name === 'event') fields[name] = value
  }
  if (fields.data.length === 0) return undefined
  return { id: fields.id, type: fields.event, data: JSON.parse(fields.data.join('\n')) }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
