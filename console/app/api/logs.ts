import { answerMsMax, answerOf, type Client, call, inWords, send } from './call.ts'
import { eventsOf, type ServerEvent } from './events.ts'
import { ownProblem, Problem } from './problem.ts'

/** The kinds of lines in a connector's log. */
export const lineTypes = [
  'provision',
  'write',
  'set',
  'delete',
  'expire',
  'read',
  'connect',
  'disconnect',
  'refusal',
  'content',
  'log',
] as const
export type LineType = (typeof lineTypes)[number]

export type Line = {
  /** Where it stands in the log; a stream goes on behind it. */
  readonly id: string
  /** Microseconds since 1970. */
  readonly timestamp: number
  readonly type: LineType
  readonly severity: 'info' | 'warning' | 'error'
  readonly identity: string | null
  readonly ip: string
  readonly protocol: string
  /** The short answer that a device was given. */
  readonly code: string | null
  readonly message: string
  /** The number of events, if one line stands for several. */
  readonly count: number
}

/** Selects lines; an empty field matches all. */
export type LineFilter = { readonly identity: string; readonly types: readonly LineType[] }

/** The newest lines, newest first. Needs `Setup`. */
export async function listLines(
  client: Client,
  connectorId: string,
  filter: LineFilter & { readonly limit: number },
  signal: AbortSignal,
): Promise<readonly Line[]> {
  const asked = { ...queryOf(filter), limit: `${filter.limit}` }
  const path = `${logs(connectorId)}?${new URLSearchParams(asked)}`
  const { lines } = await call<{ readonly lines: readonly Line[] }>(client, path, { signal })
  return lines
}

type Follow = {
  readonly filter: LineFilter
  /** The id of the last line received; empty: only new lines. */
  readonly after: string
  /** Called when the stream is open. */
  readonly onOpen: () => void
  /** Called with new lines, oldest first. */
  readonly onLines: (lines: readonly Line[]) => void
  readonly signal: AbortSignal
}

/** The server gives a sign of life each 15 seconds: without one for this long, it is gone. */
const silentMsMax = 40_000

/**
 * Reads a connector's log as it comes. `EventSource` could not: it sends no `Authorization`.
 * Resolves when the stream broke off; the caller may go on behind the last line.
 * @throws Problem with the reason why the server ended it, or opened none.
 */
export async function followLines(
  client: Client,
  connectorId: string,
  { filter, after, onOpen, onLines, signal }: Follow,
): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), answerMsMax)
  const either = AbortSignal.any([signal, silence.signal])
  const resume: Readonly<Record<string, string>> = after === '' ? {} : { 'last-event-id': after }
  const headers = { accept: 'text/event-stream', ...resume }
  try {
    const path = `${logs(connectorId)}?${new URLSearchParams(queryOf(filter))}`
    const response = await send(client, path, { headers, signal: either })
    if (!response.ok || response.body === null) {
      await answerOf(response)
      throw ownProblem('unreadable_answer')
    }
    onOpen()
    for await (const events of eventsOf(response.body)) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silentMsMax)
      const lines = events.filter(({ event }) => event === 'line')
      if (lines.length > 0) onLines(lines.map(({ data }) => JSON.parse(data) as Line))
      for (const { data } of events.filter(({ event }) => event === 'end')) throw endOf(data)
    }
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) throw ownProblem('no_answer_in_time')
    throw inWords(error)
  } finally {
    clearTimeout(timer)
  }
}

const ends: Readonly<Record<string, string>> = {
  unknown_credential: 'Your session has ended.',
  forbidden: 'Your role does not permit reading this log any more.',
  server_closed: 'The server is closing.',
}

function endOf(data: ServerEvent['data']): Problem {
  const { code = 'internal' } = JSON.parse(data) as { readonly code?: string }
  return new Problem(code, ends[code] ?? 'The server ended the live view.')
}

function queryOf({ identity, types }: LineFilter): Readonly<Record<string, string>> {
  return {
    ...(identity === '' ? {} : { identity }),
    ...(types.length === 0 ? {} : { type: types.join(',') }),
  }
}

function logs(connectorId: string): string {
  return `/api:1/service/${encodeURIComponent(connectorId)}/device2/logs`
}
