import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { errorCatalogue, type Fault, limits } from '../kernel/index.ts'

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** A socket with Node's own field for the answer to its request. */
type Carrier = Socket & { readonly _httpMessage?: ServerResponse | null }

/**
 * Answers bytes that are no request, in place of Node: with a length, since firmware reads no
 * answer in chunks, and none without an end.
 */
export function answerForNode(server: Server | HttpsServer): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // It was answered, and goes on to be read until the client has seen it.
    if (socket.writableEnded) return
    const status = statusOf(error)
    const begun = (socket as Carrier)._httpMessage?.headersSent === true
    if (status === undefined || begun || !socket.writable) socket.destroy()
    else answerAndEnd(socket, status)
  })
  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    message.resume()
    response.writeHead(417, { 'Content-Length': '0', Connection: 'close' }).end()
  })
}

/** Undefined if nothing of a request came: a handshake that failed, a connection that broke. */
function statusOf({ code = '' }: NodeJS.ErrnoException): number | undefined {
  return statuses[code] ?? (code.startsWith('HPE_') ? 400 : undefined)
}

/** Reads and drops the rest of the request for a moment: a reset would drop the answer. */
function answerAndEnd(socket: Socket, status: number): void {
  const timer = setTimeout(() => socket.destroy(), limits.refusalReadMsMax).unref()
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
