import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import {
  type BoundHolder,
  Fault,
  PollLoop,
  type SharedBound,
} from '../../foundation/kernel/index.ts'
import type { Principal } from '../../people/accounts/index.ts'
import { StreamedAnswer } from './contract/common.ts'
import type { Contract } from './contract/contract.ts'
import { refusalBody } from './errors.ts'
import { EventStream, type StreamEvent } from './event-stream.ts'
import { type CallerAuthentication, requireAccess } from './operator.ts'

/** The interval at which the session of a live view is checked. */
const logStreamCheckMs = 500
/** Bytes that a reader of a live view may leave unread before it is cut. */
const logStreamWaitingBytesMax = 1024 * 1024

export type LogStreams = {
  /**
   * Sends the lines of a log as server-sent events, until the reader goes, its session ends or what
   * the contract asks of it, it reads too slowly, or the server closes.
   * @throws Fault `overloaded` where too many are open.
   */
  open(reader: StreamCall, view: LogView): StreamedAnswer
  /** Ends all of them; none can be opened any more. */
  end(): void
}

type Authentication = Pick<CallerAuthentication, 'authenticate'>

/** The request of who reads. */
export type StreamCall = {
  readonly headers: IncomingHttpHeaders
  readonly ip: string
  readonly raw: { readonly request: FastifyRequest }
  readonly contract: Contract
}

/** A log, or the results of a run, as far as a stream of it needs it. */
export type LogView = {
  /** Tells the lines that come until the returned function is called. */
  follow(send: (lines: readonly LogEvent[]) => void, ending: LogEnding): () => void
  /** The name of its events; `line` if left out. */
  readonly name?: string
  /** The event that comes before all others. */
  readonly first?: StreamEvent
  /** Called as long as it is open, with who reads it by now. @throws Fault that ends it. */
  check?(principal: Principal): void
  /** Called in place of `follow` if the reader has gone already. */
  abandon?(): void
  /** The reader was cut: it was too slow. */
  cut?(): void
}

/** A line: where a reader that comes back goes on, if it can, and what it is shown. */
export type LogEvent = { readonly id?: string; readonly body: unknown }

/** For a view that comes to an end by itself. */
export type LogEnding = {
  /** Ends the stream with the event `done`. */
  done(body: unknown): void
  fail(reason: Fault): void
}

/** @param bound of those that are open at once. */
export function createLogStreams(authentication: Authentication, bound: SharedBound): LogStreams {
  const ends = new Set<(reason: Fault) => void>()
  let closed = false

  function start(stream: EventStream, reader: StreamCall, view: LogView): void {
    const { cut, name = 'line', first } = view
    const end = (reason: Fault) => stream.end({ name: 'end', data: refusalBody(reason) })
    const done = (body: unknown) => stream.end({ name: 'done', data: body })
    const send = (lines: readonly LogEvent[]) => {
      const isSlow = stream.waitingBytes > logStreamWaitingBytesMax
      stream.send(lines.map(({ body, ...place }) => ({ name, ...place, data: body })))
      if (stream.isOver || !isSlow) return
      stream.cut()
      cut?.()
    }
    if (first !== undefined) stream.send([first])
    const stop = view.follow(send, { done, fail: end })
    const checks = new PollLoop({
      async look() {
        const fault = await refusal(authentication, reader, view)
        if (fault !== undefined) end(fault)
      },
      // `refusal` has caught what can fail.
      failed: () => {},
      pollMs: logStreamCheckMs,
    })
    checks.startLater()
    ends.add(end)
    const leave = bound.enter(toHolder(reader))
    stream.onClose(() => {
      stop()
      leave()
      void checks.stop()
      ends.delete(end)
    })
  }

  return {
    open(reader, view) {
      if (closed) throw new Fault('server_closed')
      bound.requireRoom(toHolder(reader))
      return new StreamedAnswer((response) => {
        if (response.destroyed) view.abandon?.()
        else start(new EventStream(response, reader.contract), reader, view)
      })
    },
    end() {
      closed = true
      for (const end of [...ends]) end(new Fault('server_closed'))
    },
  }
}

function toHolder({ raw }: StreamCall): BoundHolder {
  const { businessId = '', subject = '' } = raw.request.principal ?? {}
  return { businessId, subject }
}

/** Why the reader may not read any more; undefined where it may. */
async function refusal(
  authentication: Authentication,
  reader: StreamCall,
  view: LogView,
): Promise<Fault | undefined> {
  try {
    const caller = await authentication.authenticate(reader.raw.request, true)
    requireAccess(caller, reader.contract)
    view.check?.(caller.principal)
    return undefined
  } catch (error) {
    const known = error instanceof Fault && (error.status === 401 || error.status === 403)
    // Other errors, such as an unreachable database, do not end the session.
    return known ? error : undefined
  }
}
