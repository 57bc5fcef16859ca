import { waitMsMax } from './bounds.ts'

/** An event of a stream of server-sent events. */
export type ServerEvent = { readonly id?: string; readonly event: string; readonly data: unknown }

/** A reader of server-sent events that keeps what came. */
export type EventReader = {
  readonly status: number
  readonly events: readonly ServerEvent[]
  /** The comments that came, without their colon. */
  readonly comments: readonly string[]
  /** Resolves with the first event that matches. @throws Error after a bound. */
  until(matches: (event: ServerEvent) => boolean): Promise<ServerEvent>
  /** Resolves when the server ended the stream. @throws Error after a bound. */
  ended(): Promise<void>
  close(): void
}

export async function readEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventReader> {
  const abort = new AbortController()
  const { signal } = abort
  const response = await fetch(url, {
    headers: { Accept: 'text/event-stream', ...headers },
    signal,
  })
  const events: ServerEvent[] = []
  const comments: string[] = []
  const waiting = new Set<() => void>()
  let over = false
  const tell = () => {
    for (const wake of waiting) wake()
  }
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.startsWith(':')) comments.push(block.slice(1).trim())
        else events.push(parseEvent(block))
      }
      tell()
    }
  })()
  reading
    .catch(() => {})
    .finally(() => {
      over = true
      tell()
    })

  function wait<Found>(look: () => Found | undefined, what: string): Promise<Found> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        const found = look()
        if (found === undefined && !over) return
        waiting.delete(wake)
        clearTimeout(timer)
        if (found === undefined) reject(new Error(`ended before ${what}`))
        else resolve(found)
      }
      const timer = setTimeout(() => {
        waiting.delete(wake)
        reject(new Error(`no ${what}; there were ${JSON.stringify(events)}`))
      }, waitMsMax)
      waiting.add(wake)
      wake()
    })
  }

  return {
    status: response.status,
    events,
    comments,
    until: (matches) => wait(() => events.find(matches), 'such event'),
    ended: async () => {
      await wait(() => over || undefined, 'end')
    },
    close: () => abort.abort(),
  }
}

function parseEvent(block: string): ServerEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const at = line.indexOf(': ')
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
  const { id, event = 'message', data = 'null' } = fields
  return { ...(id === undefined ? {} : { id }), event, data: JSON.parse(data) }
}
