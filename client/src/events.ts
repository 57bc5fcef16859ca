import { readPieces } from './answers.ts'
import type { MillraceClient } from './client.ts'
import { ApiError, errorIn, notAnApi, refusalIn } from './errors.ts'
import type { paths } from './generated/api.ts'
import { fillPath, type Params } from './paths.ts'

type EventsOf<Operation> = Operation extends {
  readonly responses: {
    readonly 200: { readonly content: { readonly 'text/event-stream': infer E } }
  }
}
  ? E
  : never

/** A path of the document that has a live view. */
export type LivePath = {
  [Path in keyof paths]: [EventsOf<paths[Path]['get']>] extends [never] ? never : Path
}[keyof paths]

/** An event of a live view: its name and its data as the document has them. */
export type LiveEvent<Path extends LivePath> = { readonly id: string } & Exclude<
  EventsOf<paths[Path]['get']>,
  { readonly event: 'end' }
>

export type LiveParams<Path extends LivePath> = Pick<
  NonNullable<paths[Path]['get']>['parameters'],
  'path' | 'query'
>

export type FollowOptions = {
  readonly signal?: AbortSignal
  /**
   * The id of the last event that was read: the stream goes on behind it. A function is asked at
   * each connection; without it the place is that of the last event that came.
   */
  readonly after?: string | (() => string | undefined)
  /** The first pause before a connection that was lost is opened again, in milliseconds. */
  readonly retryMs?: number
  /** Called when a connection was lost, before the pause. */
  readonly lost?: (error: unknown) => void
  /**
   * Called when a connection is open: from here on no event is missed. Events wait until it is
   * done; if it fails, so does the connection.
   */
  readonly opened?: () => void | Promise<void>
}

const retryMsMax = 15_000
/** A server without a word of its heartbeat has one each 15 seconds. */
const heartbeatMsPreset = 15_000
/** So many heartbeats are missing when a connection counts as lost. */
const heartbeatsMissed = 2.5

/**
 * Follows a live view (`text/event-stream`). A connection that is lost is opened again behind the
 * last event, so that none is missed or repeated.
 * @throws ApiError if the API refuses or ends the view, unless asking again may help.
 */
export async function* follow<Path extends LivePath>(
  client: Pick<MillraceClient, 'request'>,
  path: Path,
  params: LiveParams<Path>,
  { signal, after, retryMs = 500, lost, opened }: FollowOptions = {},
): AsyncGenerator<LiveEvent<Path>> {
  let last = typeof after === 'string' ? after : undefined
  const placeOf = typeof after === 'function' ? after : () => last
  const address = fillPath(path, params as Params)
  let pauseMs = retryMs
  let wasOpen = false
  const isOver = () => signal?.aborted === true
  while (!isOver()) {
    try {
      const response = await open(client, address, placeOf(), signal)
      await opened?.()
      wasOpen = true
      for await (const event of parseEventStream(response)) {
        pauseMs = retryMs
        if (event.id !== '') last = event.id
        if (event.event === 'end') throw toEnd(event.data)
        yield event as LiveEvent<Path>
      }
      lost?.(closed())
    } catch (error) {
      if (isOver()) return
      if (!mayPass(error, wasOpen)) throw error
      lost?.(error)
      pauseMs = Math.max(pauseMs, ((error as Partial<ApiError>).retryAfterS ?? 0) * 1_000)
    }
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, retryMsMax)
  }
}

/**
 * Reads the events of one answer that is not to be asked for again; the name of the last is known
 * to the caller.
 * @throws ApiError if the API ends the answer with an error, or the connection is lost.
 */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  for await (const event of parseEventStream(response)) {
    if (event.event === 'end') throw toEnd(event.data)
    yield event
  }
  throw closed()
}

/** Returns whether another connection may have what this one has not. */
function mayPass(error: unknown, wasOpen: boolean): boolean {
  if (!(error instanceof ApiError)) return false
  const { code, status } = error
  // An address that was right once may show a proxy's page while the server starts.
  if (code === 'not_an_api') return wasOpen || status >= 500
  return status === 0 || status >= 500 || status === 429
}

function toEnd(data: unknown): ApiError {
  const { status = 0 } = data as { readonly status?: number }
  return refusalIn(data, status) ?? closed()
}

function closed(): ApiError {
  const message = 'the instance has closed the connection'
  return new ApiError({ code: 'unreachable', status: 0, message })
}

async function open(
  client: Pick<MillraceClient, 'request'>,
  address: string,
  last: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await client.request(address, {
    headers: {
      accept: 'text/event-stream',
      ...(last !== undefined && { 'last-event-id': last }),
    },
    ...(signal !== undefined && { signal }),
  })
  if (!response.ok) throw await errorIn(response)
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('text/event-stream')) throw notAnApi(response.status)
  return response
}

type ServerEvent = { readonly id: string; readonly event: string; readonly data: unknown }

/** The events of a stream: fields in lines, an empty line behind each event. @throws ApiError */
export async function* parseEventStream({
  body,
  headers,
}: Response): AsyncGenerator<ServerEvent, void> {
  if (body === null) return
  const heartbeatMs = Number(headers.get('millrace-heartbeat') ?? heartbeatMsPreset)
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of readPieces(body, heartbeatMs * heartbeatsMissed)) {
    text += decoder.decode(piece, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event !== undefined) yield event
    }
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  const fields = { id: '', event: 'message', data: [] as string[] }
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([^:]+):? ?(.*)$/.exec(line) ?? []
    if (name === 'data') fields.data.push(value)
    else if (name === 'id' || name === 'event') fields[name] = value
  }
  const { id, event, data } = fields
  if (data.length === 0) return undefined
  const text = data.join('\n')
  return { id, event, data: text === '' ? undefined : JSON.parse(text) }
}

/** Waits so long, or until the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
