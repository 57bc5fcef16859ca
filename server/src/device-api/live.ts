import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../kernel/index.ts'
import type { Device, Provisioning } from '../provisioning/index.ts'
import { linkOf } from './peer.ts'

/** Whose a socket is: devices that spoke on it, and the answers that are under way. */
export type Live = {
  /** A request came in: nobody knows yet who speaks, but it is to be answered. */
  asks(socket: Socket, response: ServerResponse): void
  /** A request proved who speaks: its socket is closed when the device may not go on. */
  spoke(socket: Socket, device: Device, response: ServerResponse): void
  /** The answer tells the device itself that it is refused; its socket ends after it. */
  tells(response: ServerResponse): void
}

/** No key of a device. */
const nobody = ''

/** A socket that a device has spoken on. */
type Line = {
  /** By device what stops the watch over it, the one that spoke last at the end. */
  readonly watched: Map<string, () => void>
  /** Whose each answer is that is under way. */
  readonly answering: Map<ServerResponse, string>
  readonly telling: Set<ServerResponse>
}

/**
 * Keeps, of each open socket, up to `limits.devicesPerSocketMax` devices. Of those beyond it, which
 * a proxy may have, the next request is refused and nothing is closed.
 */
export function createLive({
  revocations,
  judgeLink,
}: Pick<Provisioning, 'revocations' | 'judgeLink'>): Live {
  const lines = new WeakMap<Socket, Line>()

  function open(socket: Socket): Line {
    const line: Line = { watched: new Map(), answering: new Map(), telling: new Set() }
    lines.set(socket, line)
    socket.once('close', () => {
      for (const stop of line.watched.values()) stop()
      line.watched.clear()
    })
    return line
  }

  function hear(socket: Socket, line: Line, key: string, device: Device): () => void {
    const judge = () => judgeLink(device, linkOf(socket))
    return revocations.onRevoked(device, () => end(socket, line, key), judge)
  }

  function watch(socket: Socket, line: Line, key: string, device: Device): void {
    const before = line.watched.get(key)
    line.watched.delete(key)
    line.watched.set(key, before ?? hear(socket, line, key, device))
    if (line.watched.size <= limits.devicesPerSocketMax) return
    for (const [oldest, stop] of line.watched) {
      stop()
      line.watched.delete(oldest)
      return
    }
  }

  /** Until it is answered it is this one's. */
  function answers(line: Line, response: ServerResponse, whose: string): void {
    if (!line.answering.has(response)) {
      response.once('close', () => {
        line.answering.delete(response)
        line.telling.delete(response)
      })
    }
    line.answering.set(response, whose)
  }

  return {
    asks(socket, response) {
      const line = lines.get(socket)
      if (line !== undefined) answers(line, response, nobody)
    },
    spoke(socket, device, response) {
      if (socket.destroyed) return
      const key = `${device.connector.id}/${device.identity}`
      const line = lines.get(socket) ?? open(socket)
      answers(line, response, key)
      watch(socket, line, key, device)
    },
    tells(response) {
      const { socket } = response
      if (socket !== null) lines.get(socket)?.telling.add(response)
    },
  }
}

/** Cuts the device's own business; what others have under way on the socket is still answered. */
function end(socket: Socket, { answering, telling }: Line, key: string): void {
  const mayEnd = [...answering].every(([one, whose]) => whose !== key || telling.has(one))
  if (answering.size === 0 || !mayEnd) {
    socket.destroy()
    return
  }
  for (const response of answering.keys()) response.shouldKeepAlive = false
}
