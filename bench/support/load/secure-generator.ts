import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { answerParent } from '../frame/child.ts'

/** Devices that write over connections of their own, plain or TLS, made before the clock runs. */

export type SecureLoad = {
  readonly port: number
  readonly seconds: number
  /**
   * The client of each connection: its request, and with TLS the authority that it trusts and
   * perhaps its certificate.
   */
  readonly clients: readonly SecureClient[]
}

export type SecureClient = {
  readonly request: string
  readonly tls?: { readonly servername: string; readonly ca: string } & Partial<KeyPair>
}

export type KeyPair = { readonly key: string; readonly cert: string }

export type SecureResult = {
  readonly perSecond: number
  readonly answers: number
  readonly failures: number
  readonly handshakesPerSecond: number
}

const noContent = /^HTTP\/1\.1 204 [^\r]*\r\n(?:[^\r]+\r\n)*\r\n$/
const host = '127.0.0.1'

async function run({ port, seconds, clients }: SecureLoad): Promise<SecureResult> {
  const opening = performance.now()
  const sockets = await Promise.all(clients.map((client) => open(port, client)))
  const start = performance.now()
  const end = start + seconds * 1_000
  const counts = { answers: 0, failures: 0 }
  await Promise.all(
    sockets.map((socket, at) => converse(socket, clients[at]?.request ?? '', end, counts)),
  )
  const perSecond = (counts.answers * 1_000) / (performance.now() - start)
  for (const socket of sockets) socket.destroy()
  const handshakesPerSecond = (clients.length * 1_000) / (start - opening)
  return { ...counts, perSecond, handshakesPerSecond }
}

/** Answers once first: a connection is open when the server has said so. */
async function open(port: number, { tls, request }: SecureClient): Promise<Socket> {
  const socket = tls === undefined ? connect({ port, host }) : connectTls({ port, host, ...tls })
  await once(socket, tls === undefined ? 'connect' : 'secureConnect')
  socket.setNoDelay(true)
  await converse(socket, request, 0, { answers: 0, failures: 0 })
  return socket
}

/** Writes, waits for the answer, and again until the time is up; once at least. */
function converse(
  socket: Socket,
  request: string,
  end: number,
  counts: { answers: number; failures: number },
): Promise<void> {
  const bytes = Buffer.from(request, 'latin1')
  return new Promise((resolve, reject) => {
    let kept = ''
    const hungUp = () => reject(new Error('the server hung up'))
    const listen = (chunk: Buffer) => {
      kept += chunk.toString('latin1')
      if (!kept.includes('\r\n\r\n')) return
      counts.answers += 1
      if (!noContent.test(kept)) counts.failures += 1
      kept = ''
      if (performance.now() < end) socket.write(bytes)
      else {
        socket.off('data', listen).off('close', hungUp)
        resolve()
      }
    }
    socket.on('data', listen).once('error', reject).once('close', hungUp)
    socket.write(bytes)
  })
}

answerParent({ run }, () => {})
