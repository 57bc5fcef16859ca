import { WebSocket } from 'ws'
import type { EndpointsBench } from './endpoints.ts'

/** What a client was sent, as text, or as bytes where it came as such. */
export type SocketMessage = string | Buffer

export type SocketClose = { readonly code: number; readonly reason: string }

/** A client of a websocket; what it does not ask for yet waits. */
export type SocketClient = {
  readonly protocol: string
  send(data: string | Uint8Array): void
  /** The next message, in the order in which they came. */
  next(): Promise<SocketMessage>
  nextJson(): Promise<ReturnType<typeof JSON.parse>>
  close(code?: number, reason?: string): void
  readonly closed: Promise<SocketClose>
}

export type OpenSocket = {
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  /** `pump.localhost` where it is left out. */
  readonly host?: string
  readonly tls?: { readonly ca: Buffer }
}

const waitMsMax = 60_000

/** What is waited for, or an error once it took too long. */
export async function inTime<Value>(what: string, promise: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it never came: ${what}`)), waitMsMax)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Messages and a close, for whoever waits for them. */
export function createInbox() {
  const messages: SocketMessage[] = []
  const waiting: ((message: SocketMessage) => void)[] = []
  const { promise: closed, resolve } = Promise.withResolvers<SocketClose>()
  let end: SocketClose | undefined
  return {
    closed,
    add(message: SocketMessage): void {
      const taker = waiting.shift()
      if (taker === undefined) messages.push(message)
      else taker(message)
    },
    close(close: SocketClose): void {
      end = close
      resolve(close)
    },
    next(): Promise<SocketMessage> {
      const message = messages.shift()
      if (message !== undefined) return Promise.resolve(message)
      if (end !== undefined) return Promise.reject(new Error(`closed: ${JSON.stringify(end)}`))
      const { promise, resolve: take } = Promise.withResolvers<SocketMessage>()
      waiting.push(take)
      const refused = closed.then((why) => Promise.reject(new Error(JSON.stringify(why))))
      return inTime('a message', Promise.race([promise, refused]))
    },
  }
}

/** Opens a websocket with the client `ws`. Rejects with `{status, …}` where that is refused. */
export function openSocket(
  { millrace }: { readonly millrace: { readonly httpUrl: string; readonly tlsUrl: string } },
  path: string,
  { headers = {}, protocols = [], host = 'pump.localhost', tls }: OpenSocket = {},
): Promise<SocketClient> {
  const { port } = new URL(tls ? millrace.tlsUrl : millrace.httpUrl)
  const url = `${tls ? 'wss' : 'ws'}://127.0.0.1:${port}${path}`
  const ws = new WebSocket(url, [...protocols], {
    headers: { Host: `${host}:${port}`, ...headers },
    ...(tls ? { ca: tls.ca, servername: host } : {}),
  })
  return clientOf(ws)
}

function clientOf(ws: WebSocket): Promise<SocketClient> {
  const inbox = createInbox()
  ws.on('message', (data: Buffer, binary) => inbox.add(binary ? data : data.toString('utf8')))
  ws.on('close', (code, reason) => inbox.close({ code, reason: reason.toString('utf8') }))
  return new Promise((resolve, reject) => {
    ws.on('error', reject)
    ws.on('unexpected-response', (_, response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const json = text.startsWith('{') ? JSON.parse(text) : undefined
        const { statusCode: status = 0, headers } = response
        reject(new SocketRefused({ status, headers, body: Buffer.from(text), text, json }))
        ws.terminate()
      })
    })
    ws.on('open', () => {
      resolve({
        protocol: ws.protocol,
        send: (data) => ws.send(data),
        next: inbox.next,
        nextJson: async () => JSON.parse(String(await inbox.next())),
        close: (code, reason) => ws.close(code, reason),
        get closed() {
          return inTime('a close', inbox.closed)
        },
      })
    })
  })
}

/** An upgrade that was answered with something else. */
export class SocketRefused extends Error {
  readonly answer: Awaited<ReturnType<EndpointsBench['get']>>

  constructor(answer: SocketRefused['answer']) {
    super(`refused: ${answer.status} ${answer.text}`)
    this.answer = answer
  }
}

/** The answer to an upgrade that must be refused. */
export async function refusalOf(opening: Promise<SocketClient>): Promise<SocketRefused['answer']> {
  const opened = await opening.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (opened instanceof SocketRefused) return opened.answer
  throw new Error('the upgrade was not refused', { cause: opened })
}
