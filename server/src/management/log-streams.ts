import type { ServerResponse } from 'node:http'
import { type Permission, requirePermission } from '../accounts/index.ts'
import { Fault, limits } from '../kernel/index.ts'
import { apiHeaders } from './errors.ts'
import type { CallerAuthentication } from './operator.ts'
import type { OpenCall, StreamAnswer } from './route.ts'

export type LogStreams = {
  /**
   * Sends the lines of a log as server-sent events, until the reader goes, its session or its
   * permission ends, it reads too slowly, or the server closes.
   * @throws Fault `overloaded` where too many are open.
   */
  open(reader: Reader, permission: Permission, view: LogView): StreamAnswer
  /** Ends all of them; none can be opened any more. */
  end(): void
}

type Authentication = Pick<CallerAuthentication, 'authenticate'>

/** The request of who reads. */
export type Reader = Pick<OpenCall, 'headers' | 'ip' | 'raw'>

/** One log, as far as a stream of it needs to know. */
export type LogView = {
  /** Tells the lines that come until the returned function is called. */
  follow(tell: (lines: readonly LogEvent[]) => void): () => void
  /** The reader was cut: it was too slow. */
  cut?(): void
}

/** A line: where a reader that comes back goes on, and what it is shown. */
export type LogEvent = { readonly id: string; readonly body: unknown }

const headers = {
  ...apiHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that keeps a stream until it is complete would keep it for ever.
  'x-accel-buffering': 'no',
}

export function createLogStreams(authentication: Authentication): LogStreams {
  const ends = new Set<(reason: string) => void>()
  let closed = false

  function start(
    response: ServerResponse,
    reader: Reader,
    permission: Permission,
    view: LogView,
  ): void {
    response.writeHead(200, headers)
    response.write(': open\n\n')

    const stop = view.follow((lines) => {
      response.write(lines.map(formatEvent).join(''))
      if (response.writableLength <= limits.logStreamWaitingBytesMax) return
      response.destroy()
      view.cut?.()
    })
    const beat = setInterval(() => response.write(': beat\n\n'), limits.logStreamHeartbeatMs)
    let checking = false
    const check = setInterval(async () => {
      if (checking) return
      checking = true
      const fault = await refusal(authentication, reader, permission)
      checking = false
      if (fault !== undefined) end(fault.code)
    }, limits.logStreamCheckMs)

    const end = (reason: string) => {
      if (response.writableEnded || response.destroyed) return
      response.end(`event: end\ndata: ${JSON.stringify({ code: reason })}\n\n`)
    }
    ends.add(end)
    response.on('close', () => {
      stop()
      clearInterval(beat)
      clearInterval(check)
      ends.delete(end)
    })
  }

  return {
    open(reader, permission, view) {
      if (closed || ends.size >= limits.logStreamsMax) {
        const retry = { retryAfterS: limits.retryAfterS }
        throw new Fault('overloaded', 'Too many live views are open.', retry)
      }
      return { stream: (response) => start(response, reader, permission, view) }
    },
    end() {
      closed = true
      for (const end of [...ends]) end('server_closed')
    },
  }
}

/** Why the reader may not read any more; undefined where it may. */
async function refusal(
  authentication: Authentication,
  reader: Reader,
  permission: Permission,
): Promise<Fault | undefined> {
  try {
    const { principal } = await authentication.authenticate(reader.raw.request, true)
    requirePermission(principal, permission)
    return undefined
  } catch (error) {
    const known = error instanceof Fault && (error.status === 401 || error.status === 403)
    // Other errors, such as an unreachable database, do not end the session.
    return known ? error : undefined
  }
}

function formatEvent({ id, body }: LogEvent): string {
  return `id: ${id}\nevent: line\ndata: ${JSON.stringify(body)}\n\n`
}
