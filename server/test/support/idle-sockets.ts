import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { inTime } from './sockets.ts'

/** The beginning of a ClientHello that never goes on. */
export const halfHello = Buffer.from('1603010200010001fc0303', 'hex')

/** A connection that says something once, and never anything more. */
export type IdleSocket = {
  /** What came, as text. */
  readonly received: () => string
  /** Resolves once the server has ended it. */
  readonly closed: Promise<void>
  destroy(): void
}

export async function idleSocket(
  url: string | undefined,
  first: Buffer | string = '',
): Promise<IdleSocket> {
  const { hostname, port } = new URL(url ?? '')
  const socket = connect(Number(port), hostname)
  await inTime('a connection', new Promise((resolve) => socket.once('connect', resolve)))
  return idle(socket, first)
}

/** The same after a handshake. */
export async function idleTls(
  url: string | undefined,
  first: Buffer | string = '',
): Promise<IdleSocket> {
  const { hostname, port } = new URL(url ?? '')
  const socket = connectTls({ port: Number(port), host: hostname, rejectUnauthorized: false })
  await inTime('a handshake', new Promise((resolve) => socket.once('secureConnect', resolve)))
  return idle(socket, first)
}

function idle(socket: Socket, first: Buffer | string): IdleSocket {
  let received = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  if (first.length > 0) socket.write(first)
  return { received: () => received, closed, destroy: () => socket.destroy() }
}
