import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../kernel/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { securityOf } from '../socket-security.ts'

/** Whose a socket is: devices that spoke on it, and the answers that are under way. */
export type RevocableSockets = {
  /** A request came in: nobody knows yet who speaks, but it is to be answered. */
  requestStarted(socket: Socket, response: ServerResponse): void
  /** A request proved who speaks: its socket is closed when the device may not go on. */
  authenticated(socket: Socket, device: Device, response: ServerResponse): void
  /** The answer tells the device itself that it is refused; its socket ends after it. */
  answersRevocation(response: ServerResponse): void
}

/** No key of a device. */
const nobody = ''

/** A socket that a device has spoken on. */
type OpenSocket = {
  /** By device what stops the watch over it, the one that spoke last at the end. */
  readonly watched: Map<string, () => void>
  /** Whose each answer is that is under way. */
  readonly answering: Map<ServerResponse, string>
  readonly answeringRevocation: Set<ServerResponse>
}

/**
 * Keeps, of each open socket, up to `limits.devicesPerSocketMax` devices. Of those beyond it, which
 * a proxy may have, the next request is refused and nothing is closed.
 */
export function createRevocableSockets({
  revocations,
  checkConnectorRules: judgeLink,
}: Pick<Provisioning, 'revocations' | 'checkConnectorRules'>): RevocableSockets {
  const openSockets = new WeakMap<Socket, OpenSocket>()

  function open(socket: Socket): OpenSocket {
    const line: OpenSocket = {
      watched: new Map(),
      answering: new Map(),
      answeringRevocation: new Set(),
    }
    openSockets.set(socket, line)
    socket.once('close', () => {
      for (const stop of line.watched.values()) stop()
      line.watched.clear()
    })
    return line
  }

  function listen(socket: Socket, line: OpenSocket, key: string, device: Device): () => void {
    const judge = () => judgeLink(device, securityOf(socket))
    return revocations.onRevoked(device, () => end(socket, line, key), judge)
  }

  function watch(socket: Socket, line: OpenSocket, key: string, device: Device): void {
    const before = line.watched.get(key)
    line.watched.delete(key)
    line.watched.set(key, before ?? listen(socket, line, key, device))
    if (line.watched.size <= limits.devicesPerSocketMax) return
    for (const [oldest, stop] of line.watched) {
      stop()
      line.watched.delete(oldest)
      return
    }
  }

  /** Until it is answered it is this one's. */
  function setDevice(line: OpenSocket, response: ServerResponse, whose: string): void {
    if (!line.answering.has(response)) {
      response.once('close', () => {
        line.answering.delete(response)
        line.answeringRevocation.delete(response)
      })
    }
    line.answering.set(response, whose)
  }

  return {
    requestStarted(socket, response) {
      const line = openSockets.get(socket)
      if (line !== undefined) setDevice(line, response, nobody)
    },
    authenticated(socket, device, response) {
      if (socket.destroyed) return
      const key = `${device.connector.id}/${device.identity}`
      const line = openSockets.get(socket) ?? open(socket)
      setDevice(line, response, key)
      watch(socket, line, key, device)
    },
    answersRevocation(response) {
      const { socket } = response
      if (socket !== null) openSockets.get(socket)?.answeringRevocation.add(response)
    },
  }
}

/** Cuts the device's own business; what others have under way on the socket is still answered. */
function end(
  socket: Socket,
  { answering, answeringRevocation: telling }: OpenSocket,
  key: string,
): void {
  const mayEnd = [...answering].every(([one, whose]) => whose !== key || telling.has(one))
  if (answering.size === 0 || !mayEnd) {
    socket.destroy()
    return
  }
  for (const response of answering.keys()) response.shouldKeepAlive = false
}
