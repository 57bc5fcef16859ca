import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { errorCatalogue, type Fault } from '../../foundation/kernel/index.ts'

/**
 * The time for which the rest of an unreadable request is read, so that the client receives the
 * answer.
 */
const refusalReadMsMax = 1_000

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

const isRefused = Symbol('the rest of what a socket brings is refused')

/** A socket with Node's own field for the answer to its request. */
type Carrier = Socket & { _httpMessage?: ServerResponse | null; [isRefused]?: true }

/**
 * Answers bytes that are no request, in place of Node: with a length, since firmware reads no
 * answer in chunks, and none without an end. A client that ends its side of the connection still
 * gets the answers to what it sent: scripts that pipe a request into `nc` do so.
 */
export function answerForNode(server: Server | HttpsServer): void {
  // Node ends the connection of an idle client that ends its side in any case.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Not before: who ends its side in the middle of a handshake has gone.
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.allowHalfOpen = true
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = statusFor(error)
    if (status !== undefined) refuseRest(socket, status)
    // It was answered, and goes on to be read until the client has seen it.
    else if (!socket.writableEnded) socket.destroy()
  })
  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    message.resume()
    response.writeHead(417, { 'Content-Length': '0', Connection: 'close' }).end()
  })
}

/** Undefined if nothing of a request came: a handshake that failed, a connection that broke. */
function statusFor({ code = '' }: NodeJS.ErrnoException): number | undefined {
  return statuses[code] ?? (code.startsWith('HPE_') ? 400 : undefined)
}

/** Refuses what a socket brings behind the requests that came whole, once these are answered. */
export function refuseRest(socket: Carrier, status: number): void {
  if (socket[isRefused]) return
  socket[isRefused] = true
  endBehindAnswers(socket, status)
}

function endBehindAnswers(socket: Carrier, status: number): void {
  const { _httpMessage: answer, writable } = socket
  if (answer?.req.complete || answer?.writableEnded) {
    // Node has put the next answer in its place by then.
    answer.once('finish', () => endBehindAnswers(socket, status))
  } else if (answer?.headersSent) socket.destroy()
  else if (writable) answerAndEnd(socket, status)
}

/** Reads and drops the rest of the request for a moment: a reset would drop the answer. */
function answerAndEnd(socket: Socket, status: number): void {
  const timer = setTimeout(() => socket.destroy(), refusalReadMsMax).unref()
  socket.once('close', () => clearTimeout(timer))
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close']
  socket.end(`${[...lines, 'Content-Length: 0'].join('\r\n')}\r\n\r\n`)
}

/** Refuses a request that reaches no part of the instance, in the shape of all errors. */
export function sendFault(message: IncomingMessage, response: ServerResponse, fault: Fault): void {
  message.resume()
  const { status } = errorCatalogue[fault.code]
  const body = JSON.stringify({ code: fault.code, message: fault.detail, status })
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(Buffer.byteLength(body)),
  })
  response.end(body)
}
