import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { limits } from '../../../../foundation/kernel/index.ts'
import { webserviceLimits } from '../limits.ts'

/** A websocket that carries texts. */
export type TextSocket = {
  readonly protocol: string
  /** Resolves once the text has gone out to the system, or cannot. */
  send(text: string): Promise<void>
  close(code?: number, reason?: string): void
  onMessage(listener: (text: string) => Promise<void>): void
  onClose(listener: (code: number, reason: string) => void): void
}

/** Accepts websockets that belong to the instance itself, and not to a solution. */
export type AcceptTextSocket = (
  message: IncomingMessage,
  socket: Socket,
  head: Buffer,
  accepted: (socket: TextSocket) => void,
) => void

/** The first protocol that a client offers is chosen; who uses the socket may refuse it. */
export function createTextSockets(): AcceptTextSocket {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.graphqlBodyBytesMax,
  })
  return (message, socket, head, accepted) => {
    // Node removes its own listeners from an upgraded socket: an unhandled error would crash us.
    socket.on('error', () => socket.destroy())
    server.handleUpgrade(message, socket, head, (ws) => accepted(makeTextSocket(ws)))
  }
}

const internalError = 1011

function makeTextSocket(ws: WebSocket): TextSocket {
  ws.on('error', () => ws.terminate())
  keepAlive(ws)
  return {
    protocol: ws.protocol,
    send: (text) => new Promise((resolve) => ws.send(text, () => resolve())),
    close(code, reason) {
      ws.close(code, reason)
      // A reader that is slow does not read that it is over either.
      setTimeout(() => ws.terminate(), webserviceLimits.socketCloseMs).unref()
    },
    onMessage(listener) {
      ws.on('message', (data) => {
        listener(String(data)).catch(() => ws.close(internalError, 'internal'))
      })
    },
    onClose(listener) {
      ws.once('close', (code, reason) => listener(code, String(reason)))
    },
  }
}

/** Ends a connection the peer of which is gone. */
function keepAlive(ws: WebSocket): void {
  let answered = true
  ws.on('pong', () => {
    answered = true
  })
  // An interval, and no poll loop: nothing in a ping is awaited.
  const timer = setInterval(() => {
    if (!answered) ws.terminate()
    answered = false
    ws.ping()
  }, webserviceLimits.socketPingMs)
  ws.once('close', () => clearInterval(timer))
}
