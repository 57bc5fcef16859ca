import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../kernel/index.ts'
import type { Device, Provisioning } from '../../provisioning/index.ts'
import { securityOf } from '../socket-security.ts'

/** Open sockets with their devices, to be closed when a device loses access. */
export type RevocableSockets = {
  /** To be called for each request: it is not authenticated yet, but has to be answered. */
  requestStarted(socket: Socket, response: ServerResponse): void
  /** To be called for an authenticated request: its socket closes when the device loses access. */
  authenticated(socket: Socket, device: Device, response: ServerResponse): void
  /** Marks an answer that itself carries the refusal: the socket ends after it. */
  answersRevocation(response: ServerResponse): void
}

/** The key of an answer deviceKey device is not authenticated yet. */
const unauthenticated = ''

/** A socket on which a device was authenticated. */
type OpenSocket = {
  /** By device the function that removes its listener; the latest request's device last. */
  readonly watched: Map<string, () => void>
  /** The device of each answer under way. */
  readonly answering: Map<ServerResponse, string>
  readonly answeringRevocation: Set<ServerResponse>
}

/**
 * Follows up to `limits.devicesPerSocketMax` devices of each socket. For more, which a proxy may
 * have, a revocation rejects the next request, and closes nothing.
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
    const recheck = () => judgeLink(device, securityOf(socket))
    return revocations.onRevoked(device, () => end(socket, line, key), recheck)
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

  /** Sets the device of an answer until it is sent. */
  function setDevice(line: OpenSocket, response: ServerResponse, deviceKey: string): void {
    if (!line.answering.has(response)) {
      response.once('close', () => {
        line.answering.delete(response)
        line.answeringRevocation.delete(response)
      })
    }
    line.answering.set(response, deviceKey)
  }

  return {
    requestStarted(socket, response) {
      const line = openSockets.get(socket)
      if (line !== undefined) setDevice(line, response, unauthenticated)
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

/** Destroys the socket, unless answers of other devices are under way: then after these. */
function end(
  socket: Socket,
  { answering, answeringRevocation: telling }: OpenSocket,
  key: string,
): void {
  const mayEnd = [...answering].every(([one, deviceKey]) => deviceKey !== key || telling.has(one))
  if (answering.size === 0 || !mayEnd) {
    socket.destroy()
    return
  }
  for (const response of answering.keys()) response.shouldKeepAlive = false
}
